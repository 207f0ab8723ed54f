//! `warpchess loadtest`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use warpchess_loadtest::{Node, Plan, Report, run};
use warpchess_rules::VariantId;

use crate::failure::Failure;

/// Play many live games at once against a server, and measure how long moves take to reach both players
///
/// Without --url a server is started on this machine, with a database of its own unless --database names one. A server
/// elsewhere has to be told to let one address do so much: serve --max-requests 0 --max-connections-of-one 0.
#[derive(Args)]
pub(crate) struct Loadtest {
    /// A server, as in `http://127.0.0.1:8080`; with two, White is a client of one and Black of the other
    #[arg(long = "url", value_name = "URL", conflicts_with_all = ["database", "bus", "nodes"])]
    urls: Vec<String>,

    /// The process of a server of --url, to measure what it uses
    #[arg(long = "pid", value_name = "PID", requires = "urls")]
    pids: Vec<u32>,

    /// How many servers to start
    #[arg(long, value_name = "N", default_value_t = 1)]
    nodes: usize,

    /// Their database
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// Their bus
    #[arg(long, value_name = "URL", default_value = "local")]
    bus: String,

    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,

    /// From one move of a game to the next, as in 1s or 250ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    think: Duration,

    /// How long to measure
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,

    /// Which game, or `mixed` for all in turn
    #[arg(long, value_name = "VARIANT", default_value = "chess")]
    variant: String,

    /// A file with API tokens, one a line: these accounts play. Without it nobody has an account
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,

    /// Write the figures as JSON
    #[arg(long)]
    json: bool,

    /// Fail when of a hundred moves more than one takes longer to reach both players
    #[arg(long, value_name = "MS")]
    max_p99: Option<f64>,
}

fn duration(text: &str) -> Result<Duration, String> {
    let parse = |number: &str, scale: f64| number.trim().parse().ok().map(|n: f64| n * scale);
    let seconds = text.strip_suffix("ms").and_then(|number| parse(number, 0.001));
    let seconds = seconds.or_else(|| text.strip_suffix('s').and_then(|number| parse(number, 1.0)));
    let wanted = seconds.filter(|seconds| (0.001..=86_400.0).contains(seconds)).map(Duration::from_secs_f64);
    wanted.ok_or_else(|| "expected a time from 1ms to 86400s, as in 1s or 250ms".to_owned())
}

impl Loadtest {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let variants = if self.variant == "mixed" {
            VariantId::all().collect()
        } else {
            vec![self.variant.parse::<VariantId>().map_err(Failure::bad_input)?]
        };
        let tokens = match &self.tokens {
            None => Vec::new(),
            Some(file) => {
                let text = std::fs::read_to_string(file);
                let text = text.map_err(|error| Failure::bad_input(format!("{}: {error}", file.display())))?;
                text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
            }
        };
        let folder = tempfile::tempdir().map_err(|error| Failure::failed(format!("no temporary folder: {error}")))?;
        let mut nodes = Vec::new();
        if self.urls.is_empty() {
            let program = std::env::current_exe().map_err(Failure::failed)?;
            let own = || format!("sqlite:{}", folder.path().join("loadtest.db").display());
            let database = self.database.clone().unwrap_or_else(own);
            for _ in 0..self.nodes.max(1) {
                nodes.push(Node::start(&program, &database, &self.bus).map_err(Failure::failed)?);
            }
        }
        let mut plan = Plan {
            urls: self.urls,
            pids: self.pids,
            games: self.games,
            think: self.think,
            time: Duration::from_secs(self.seconds),
            variants,
            tokens,
        };
        plan.urls.extend(nodes.iter().map(|node| node.url.clone()));
        plan.pids.extend(nodes.iter().map(Node::pid));
        let report = run(&plan, |how| eprintln!("{how}")).map_err(Failure::failed)?;
        let text = if self.json { serde_json::to_string_pretty(&report) } else { Ok(report.to_string()) };
        anstream::println!("{}", text.map_err(Failure::failed)?);
        judge(&report, self.max_p99)
    }
}

/// Whether the server did what it has to.
fn judge(report: &Report, max_p99: Option<f64>) -> Result<(), Failure> {
    if !report.wrong.is_empty() {
        return Err(Failure::failed(format!("{} games are not as they were played", report.wrong.len())));
    }
    if !report.errors.is_empty() {
        return Err(Failure::failed(format!("{} errors", report.errors.values().sum::<u64>())));
    }
    match max_p99.filter(|max| report.to_both.p99 > *max) {
        Some(max) => Err(Failure::failed(format!("p99 is {} ms, and {max} is allowed", report.to_both.p99))),
        None => Ok(()),
    }
}
