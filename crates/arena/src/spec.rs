//! Engines as they are described on a command line.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde_json::Value;
use warpchess_engine::{Level, Params, WeightSet};

use crate::control::{Control, seconds};

/// The largest file of numbers that is read; they have some hundred lines a game.
const MOST_WEIGHTS: u64 = 16 << 20;

/// An engine: how to get it to play, and what it is called.
///
/// As text it is a list of `KEY=VALUE`, parted by blanks; a value with blanks stands in single or double quotes. Keys:
///
/// | key | meaning |
/// | --- | --- |
/// | `name` | what it is called in records |
/// | `cmd` | a program that speaks UCI, with its arguments; without it the engine built in plays |
/// | `dir` | where that program runs |
/// | `option.NAME` | an option that it is given |
/// | `level` | the engine built in, as strong as this level (1 to 8) |
/// | `hash` | the engine built in: mebibytes of its table |
/// | `threads` | the engine built in: threads that search together |
/// | `param.NAME` | the engine built in: one of its tunable numbers |
/// | `weights` | the engine built in: a file of numbers of the evaluation, as fitting writes it |
/// | `tc`, `movetime`, `nodes`, `depth` | its own limit instead of the match's |
///
/// # Examples
/// ```
/// use warpchess_arena::{EngineSpec, Source};
/// let spec: EngineSpec = "name=old cmd='./old uci' option.Hash=32 nodes=10000".parse()?;
/// assert!(matches!(spec.source, Source::Program(program) if program.args == ["uci"]));
/// # Ok::<(), warpchess_arena::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// What it is called.
    pub name: String,
    /// How it plays.
    pub source: Source,
    /// Its own limit.
    pub control: Option<Control>,
    /// The text it was made from.
    pub text: String,
}

/// How an engine plays.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// The engine of this library, in this process.
    Own(Own),
    /// A program.
    Program(Program),
}

/// The engine of this library.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Own {
    /// How strong; `None` for as strong as can be.
    pub level: Option<Level>,
    /// Mebibytes of its table; `None` for the engine's default.
    pub hash: Option<usize>,
    /// Threads that search together; `None` for the engine's default.
    pub threads: Option<usize>,
    /// The tunable numbers.
    pub params: Box<Params>,
    /// Numbers of the evaluation; `None` for those built in.
    pub weights: Option<Weights>,
}

/// Numbers of the evaluation from a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// The file.
    pub file: PathBuf,
    /// What stands in it.
    pub set: WeightSet,
}

impl Weights {
    /// Tells one set from another: FNV-1a of the numbers as text.
    pub(crate) fn sum(&self) -> String {
        let text = self.set.to_string();
        let sum = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        format!("{sum:016x}")
    }
}

/// A program that speaks UCI.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// Its file, looked for as the system does.
    pub file: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs.
    pub dir: Option<PathBuf>,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
}

/// A text that describes no engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// A quotation mark without its other.
    #[error("a {0} is not closed")]
    Quote(char),
    /// A word without `=`.
    #[error("'{0}' is not of the form KEY=VALUE")]
    Word(String),
    /// An unknown key.
    #[error(
        "unknown key '{0}', expected name, cmd, dir, option.NAME, level, hash, threads, param.NAME, weights, tc, movetime, nodes or depth"
    )]
    Key(String),
    /// A value that makes no sense.
    #[error("{key}: '{value}' is not {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What it should be.
        expected: String,
    },
    /// A file that does not give numbers of the evaluation.
    #[error("weights: '{0}': {1}")]
    Weights(String, String),
    /// A key that stands there twice.
    #[error("{0} a second time")]
    Twice(String),
    /// More than one limit.
    #[error("{0} besides another limit; one of tc, movetime, nodes and depth expected")]
    Limits(String),
    /// An unknown tunable number.
    #[error("there is no parameter '{name}'; there are {names}")]
    Param {
        /// What was asked for.
        name: String,
        /// Those that there are.
        names: String,
    },
    /// Keys that do not go together.
    #[error("{0} is for {1}")]
    Mixed(String, &'static str),
}

impl Default for EngineSpec {
    fn default() -> Self {
        Self { name: "Warpchess".into(), source: Source::Own(Own::default()), control: None, text: String::new() }
    }
}

/// Keys of a limit.
const LIMITS: [&str; 4] = ["tc", "movetime", "nodes", "depth"];

impl EngineSpec {
    /// The numbers of the evaluation that the engine built in was given.
    pub const fn weights(&self) -> Option<&Weights> {
        match &self.source {
            Source::Own(own) => own.weights.as_ref(),
            Source::Program(_) => None,
        }
    }

    /// Gives two by one name names that tell them apart: what each was given, and if that is the same, too, a number.
    pub fn tell_apart([first, second]: &mut [Self; 2]) {
        if first.name == second.name {
            for engine in [&mut *first, &mut *second] {
                let settings = words(&engine.text).unwrap_or_default();
                let told =
                    |word: &&String| !["name=", "cmd=", "dir=", "level="].iter().any(|key| word.starts_with(key));
                for word in settings.iter().filter(told) {
                    engine.name.push(' ');
                    engine.name.push_str(word);
                }
            }
        }
        if first.name == second.name {
            second.name.push_str(" (2)");
        }
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (mut name, mut control) = (None, None);
        let mut own = Own::default();
        let mut program = Program::default();
        // The first key that is only for the one or the other.
        let (mut of_own, mut of_program, mut command) = (None, None, false);
        let mut seen = BTreeSet::new();
        for word in words(text)? {
            let Some((key, value)) = word.split_once('=') else { return Err(SpecError::Word(word)) };
            // UCI knows no difference between upper and lower case in the names of options.
            let known = if key.starts_with("option.") { key.to_ascii_lowercase() } else { key.to_owned() };
            if !seen.insert(known) {
                return Err(SpecError::Twice(key.to_owned()));
            }
            if control.is_some() && LIMITS.contains(&key) {
                return Err(SpecError::Limits(word));
            }
            let bad = |expected: &str| SpecError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
                expected: expected.to_owned(),
            };
            match key.split_once('.').unwrap_or((key, "")) {
                ("name", "") => name = Some(value.to_owned()).filter(|name| !name.is_empty()),
                ("cmd", "") => {
                    let mut words = words(value)?.into_iter();
                    program.file = words.next().ok_or_else(|| bad("a program"))?.into();
                    program.args = words.collect();
                    command = true;
                }
                ("dir", "") => {
                    program.dir = Some(value.into());
                    of_program.get_or_insert(word);
                }
                ("option", option) if !option.is_empty() => {
                    program.options.push((option.to_owned(), value.to_owned()));
                    of_program.get_or_insert(word);
                }
                ("level", "") => {
                    let level = value.parse().ok().and_then(|n| Level::new(n).ok());
                    own.level = Some(level.ok_or_else(|| bad("a level from 1 to 8"))?);
                    of_own.get_or_insert(word);
                }
                ("hash", "") => {
                    let hash = value.parse().ok().filter(|n| (1..=1 << 16).contains(n));
                    own.hash = Some(hash.ok_or_else(|| bad("a number of mebibytes from 1 to 65536"))?);
                    of_own.get_or_insert(word);
                }
                ("threads", "") => {
                    let threads = value.parse().ok().filter(|n| (1..=256).contains(n));
                    own.threads = Some(threads.ok_or_else(|| bad("a number of threads from 1 to 256"))?);
                    of_own.get_or_insert(word);
                }
                ("param", param) if !param.is_empty() => {
                    *own.params = with_param(&own.params, param, value).map_err(|wrong| match wrong {
                        WrongParam::Value(expected) => bad(&expected),
                        WrongParam::Name(names) => SpecError::Param { name: param.to_owned(), names },
                    })?;
                    of_own.get_or_insert(word);
                }
                ("weights", "") => {
                    let set = weights(value).map_err(|problem| SpecError::Weights(value.to_owned(), problem))?;
                    own.weights = Some(Weights { file: value.into(), set });
                    of_own.get_or_insert(word);
                }
                ("tc", "") => control = Some(value.parse().map_err(|_| bad("a clock, such as 10+0.1"))?),
                ("movetime", "") => {
                    let millis: Option<Duration> =
                        value.parse::<u64>().ok().and_then(|ms| seconds(&format!("{}", ms as f64 / 1000.0)));
                    control = Some(Control::MoveTime(millis.ok_or_else(|| bad("a number of milliseconds"))?));
                }
                ("nodes", "") => {
                    let nodes = value.parse().ok().filter(|&n: &u64| n > 0);
                    control = Some(Control::Nodes(nodes.ok_or_else(|| bad("a number of nodes"))?));
                }
                ("depth", "") => {
                    let depth = value.parse().ok().filter(|&n: &u32| n > 0);
                    control = Some(Control::Depth(depth.ok_or_else(|| bad("a number of plies"))?));
                }
                _ => return Err(SpecError::Key(key.to_owned())),
            }
        }
        let source = match (command, of_own, of_program) {
            (true, Some(word), _) => return Err(SpecError::Mixed(word, "the engine built in, not for a program")),
            (false, _, Some(word)) => return Err(SpecError::Mixed(word, "a program (cmd=…)")),
            (true, None, _) => Source::Program(program),
            (false, _, None) => Source::Own(own),
        };
        let name = name.unwrap_or_else(|| match &source {
            Source::Own(Own { level: Some(level), .. }) => format!("Warpchess level {}", level.number()),
            Source::Own(_) => "Warpchess".into(),
            Source::Program(program) => {
                program.file.file_stem().map_or_else(|| "engine".into(), |s| s.to_string_lossy().into_owned())
            }
        });
        Ok(Self { name, source, control, text: text.trim().to_owned() })
    }
}

/// Numbers of the evaluation from a file.
fn weights(path: &str) -> Result<WeightSet, String> {
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MOST_WEIGHTS + 1).read_to_string(&mut text))
        .map_err(|error| format!("cannot be read: {error}"))?;
    if text.len() as u64 > MOST_WEIGHTS {
        return Err(format!("more than {MOST_WEIGHTS} bytes"));
    }
    text.parse().map_err(|error: warpchess_engine::WeightsError| error.to_string())
}

/// Words parted by blanks; quotes hold together what stands in them, and are left out.
fn words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(open) => Err(SpecError::Quote(open)),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

/// What is wrong with a tunable number.
enum WrongParam {
    /// The name; there are these.
    Name(String),
    /// The value; this was expected.
    Value(String),
}

/// The numbers with one changed.
fn with_param(params: &Params, name: &str, value: &str) -> Result<Params, WrongParam> {
    let mut all = serde_json::to_value(params).unwrap_or_default();
    let Some(map) = all.as_object_mut() else { return Err(WrongParam::Value("possible here".into())) };
    if !map.contains_key(name) {
        let names: Vec<&str> = map.keys().map(String::as_str).collect();
        return Err(WrongParam::Name(names.join(", ")));
    }
    let Some(slot) = map.get_mut(name) else { return Err(WrongParam::Value("possible here".into())) };
    *slot = match slot {
        Value::Number(n) if n.is_i64() || n.is_u64() => value.parse::<i64>().map(Value::from).ok(),
        _ => value.parse::<f64>().ok().filter(|n| n.is_finite()).map(Value::from),
    }
    .ok_or_else(|| WrongParam::Value(format!("a number like {slot}")))?;
    serde_json::from_value(all).map_err(|_| WrongParam::Value("a number that fits".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(text: &str) -> String {
        text.parse::<EngineSpec>().expect_err("an error").to_string()
    }

    #[test]
    fn a_program_has_arguments_and_options() {
        let text = r#"name="The other" cmd="'/opt/my engines/x' --fast 1" option.Move Overhead=3"#;
        assert_eq!(refused(text), "'option.Move' is not of the form KEY=VALUE");
        let text = r#"name="The other" cmd="'/opt/my engines/x' --fast 1" "option.Move Overhead=3" dir=/tmp tc=5+0.05"#;
        let spec: EngineSpec = text.parse().expect("an engine");
        assert_eq!((spec.name.as_str(), spec.control), ("The other", "5+0.05".parse().ok()));
        let program = Program {
            file: "/opt/my engines/x".into(),
            args: vec!["--fast".into(), "1".into()],
            dir: Some("/tmp".into()),
            options: vec![("Move Overhead".into(), "3".into())],
        };
        assert_eq!(spec.source, Source::Program(program));
        assert_eq!("cmd=/usr/bin/fish.exe".parse::<EngineSpec>().map(|s| s.name), Ok("fish".into()));
    }

    #[test]
    fn the_engine_built_in_has_levels_and_parameters() {
        let spec: EngineSpec = "level=3 hash=4".parse().expect("an engine");
        assert_eq!(spec.name, "Warpchess level 3");
        assert!(matches!(spec.source, Source::Own(Own { level: Some(l), hash: Some(4), .. }) if l.number() == 3));
        let spec: EngineSpec = "param.null_depth=9 param.reduction_base=0.5".parse().expect("an engine");
        let Source::Own(own) = spec.source else { panic!("built in") };
        assert_eq!((own.params.null_depth, own.params.reduction_base), (9, 0.5));
        assert_eq!("".parse(), Ok(EngineSpec::default()));
    }

    #[test]
    fn the_engine_built_in_plays_with_numbers_from_a_file() {
        let path = std::env::temp_dir().join(format!("warpchess-weights-{}.tsv", std::process::id()));
        let text = |content: &str| {
            std::fs::write(&path, content).expect("a file");
            format!("'weights={}'", path.display())
        };
        let spec: EngineSpec = text("chess\ttempo\t40\n").parse().expect("an engine");
        assert_eq!(spec.weights().map(|weights| weights.set.len()), Some(1));
        let wrong = refused(&text("chess\ttempo\t40\nchess\tspeed\t1\n"));
        assert!(wrong.ends_with("': line 2: the evaluation of chess has no number 'speed'"), "{wrong}");
        let _ = std::fs::remove_file(&path);
        assert!(refused("weights=nowhere.tsv").starts_with("weights: 'nowhere.tsv': cannot be read: "));
    }

    #[test]
    fn engines_by_one_name_are_told_apart() {
        for (first, second, names) in [
            ("depth=3", "depth=2", ["Warpchess depth=3", "Warpchess depth=2"]),
            ("param.null_depth=9", "", ["Warpchess param.null_depth=9", "Warpchess"]),
            ("level=3 hash=4", "level=3", ["Warpchess level 3 hash=4", "Warpchess level 3"]),
            ("depth=3", "level=3", ["Warpchess", "Warpchess level 3"]),
            ("", "", ["Warpchess", "Warpchess (2)"]),
            ("name=A depth=1", "name=A depth=2", ["A depth=1", "A depth=2"]),
            ("cmd=a/x option.Hash=1", "cmd=b/x option.Hash=1", ["x option.Hash=1", "x option.Hash=1 (2)"]),
        ] {
            let mut engines = [first, second].map(|text| text.parse::<EngineSpec>().expect("an engine"));
            EngineSpec::tell_apart(&mut engines);
            assert_eq!(engines.map(|engine| engine.name), names, "{first} {second}");
        }
    }

    #[test]
    fn what_describes_no_engine_is_named() {
        assert_eq!(refused("name='x"), "a ' is not closed");
        assert_eq!(refused("level=9"), "level: '9' is not a level from 1 to 8");
        assert!(refused("colour=red").starts_with("unknown key 'colour', expected name, cmd"));
        assert!(refused("param.speed=3").starts_with("there is no parameter 'speed'; there are aspiration_depth"));
        assert_eq!(refused("param.null_depth=deep"), "param.null_depth: 'deep' is not a number like 3");
        assert_eq!(refused("cmd=x level=3"), "level=3 is for the engine built in, not for a program");
        assert_eq!(refused("option.Hash=3"), "option.Hash=3 is for a program (cmd=…)");
        assert_eq!(refused("level=3 level=4"), "level a second time");
        assert_eq!(refused("cmd=x option.Hash=3 option.hash=4"), "option.hash a second time");
        assert_eq!(refused("param.null_depth=3 param.null_depth=3"), "param.null_depth a second time");
        assert!(refused("nodes=5 depth=3").starts_with("depth=3 besides another limit"));
        assert_eq!(refused("nodes=0"), "nodes: '0' is not a number of nodes");
    }
}
