//! Statistics of many games. `docs/lab.md` tells what each number means.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use warpchess_arena::stats::elo_of_score;
use warpchess_rules::Color;

use crate::facts::{Facts, Turn};
use crate::features::Feature;
use crate::numbers::{Share, Summary, mean};
use crate::study::{Beginning, Study};

/// The version of the form of the JSON.
pub const FORMAT: u32 = 1;
/// Full moves that are counted together.
const MOVES: u16 = 10;
/// All moves beyond so many bins are counted in the last.
const BINS: usize = 15;
/// So many of the shortest wins are told.
const SHORT_WINS: usize = 5;
/// So many first moves are told.
const FIRST_MOVES: usize = 10;

/// What a study came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The version of this form.
    pub format: u32,
    /// The game.
    pub variant: &'static str,
    /// What the game is called.
    pub name: &'static str,
    /// The version of its rules.
    pub rules_version: u16,
    /// The version of the program.
    pub program: &'static str,
    /// How hard the engine thought.
    pub effort: String,
    /// Where the games began.
    pub beginning: Beginning,
    /// The position taken for the game's start, if not that of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// What made the choices.
    pub seed: u64,
    /// How many games were played.
    pub games: u64,
    /// How many of them differ.
    pub distinct: u64,
    /// White's results; `None` without games.
    pub white: Option<White>,
    /// Games that somebody won.
    pub decisive: Option<Share>,
    /// Why games ended, the most frequent first.
    pub endings: Vec<Ending>,
    /// Plies of a game.
    pub plies: Summary,
    /// Games by their length.
    pub lengths: Vec<Length>,
    /// How many legal moves there are.
    pub choices: Choices,
    /// How often what is no ordinary move is played.
    pub uses: Vec<Use>,
    /// Whether what is special decides.
    pub decides: Decides,
    /// How often the lead changes.
    pub leads: Leads,
    /// What is left at the end.
    pub material: Material,
    /// What pieces became, by letter.
    pub becomes: BTreeMap<char, u64>,
    /// White's score after each first move, the most frequent first; empty when games begin after random moves.
    pub first_moves: Vec<FirstMove>,
    /// The shortest games that were won, shortest first.
    pub shortest: Vec<ShortWin>,
}

/// White's results.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct White {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Points a game.
    pub score: Share,
    /// The same as a difference in Elo; `None` when White won, or lost, everything.
    pub elo: Option<f64>,
}

/// Games that ended for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Ending {
    /// The name of an end reason, or `tooLong`.
    pub reason: String,
    pub white: u64,
    pub drawn: u64,
    pub black: u64,
}

/// Games of about one length.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Length {
    /// The first full move counted here.
    pub from: u16,
    /// The last one; `None` for the last bin, which has no end.
    pub to: Option<u16>,
    pub white: u64,
    pub drawn: u64,
    pub black: u64,
}

/// A mean over turns of some full moves.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Bin {
    pub from: u16,
    /// `None` for the last bin, which has no end.
    pub to: Option<u16>,
    /// How many turns.
    pub turns: u64,
    pub mean: f64,
}

/// How many legal moves there are.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Choices {
    /// Over all turns.
    pub turns: Summary,
    /// By full move.
    pub by_move: Vec<Bin>,
    /// Turns with a single legal move.
    pub forced: Option<Share>,
}

/// How often something is played.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Use {
    /// What.
    #[serde(skip)]
    pub feature: Feature,
    /// The name of a kind of move, or of a part of one.
    pub name: &'static str,
    /// For people.
    pub label: &'static str,
    /// Whether chess does not have it.
    pub special: bool,
    /// Whether it is a part of the one before.
    pub part: bool,
    /// Turns of which it was played.
    pub turns: u64,
    /// Its share of all turns, from 0 to 1.
    pub share: f64,
    /// How often in a game.
    pub per_game: f64,
    /// Games in which it was played at all.
    pub games: Option<Share>,
    /// Full move of its first use, median of the games with one; `None` without any.
    pub first: Option<f64>,
    /// How many of them took a piece of the opponent's.
    pub captures: u64,
    /// How many of them gave check.
    pub checks: u64,
    /// Its share of the turns, by full move.
    pub by_move: Vec<Bin>,
}

/// Whether what is special about the game decides. Chance is what the same measure gives for turns of the same winners that are
/// taken at random: only what is above it means something.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decides {
    /// Share of all turns that were special; setting up and forced passes are left out here and below.
    pub turns: Option<Share>,
    /// Games won with something special among the winner's last three turns.
    pub finish: Option<Share>,
    /// The same for any three turns of the winner's in a row.
    pub finish_chance: f64,
    /// Games in which the winner's turn was special from which he was ahead by 200 for good.
    pub blow: Option<Share>,
    /// The same for any turn of the winner's.
    pub blow_chance: f64,
}

/// How often the lead changes; a side leads from a whole pawn on.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Leads {
    /// In a game.
    pub changes: f64,
    /// Games in which it changed at all.
    pub games: Option<Share>,
    /// Won games in which the winner had been behind.
    pub comebacks: Option<Share>,
}

/// What the pieces of both sides are worth, in hundredths of a pawn.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Material {
    pub start: f64,
    pub end: f64,
}

/// A first move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FirstMove {
    /// As people write it.
    pub san: String,
    /// White's score after it.
    pub score: Share,
}

/// A game that was won soon.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShortWin {
    /// Its number, from 1.
    pub game: u64,
    /// Its length.
    pub plies: usize,
    /// Who won.
    pub winner: &'static str,
    /// Why it ended.
    pub ending: String,
    /// Where it began, if not at the game's own start.
    pub fen: Option<String>,
    /// The ply, from 1, of the winner's turn from which he was ahead for good.
    pub decided: Option<usize>,
    /// All of it, as people write it.
    pub text: String,
}

fn bin_of(number: u16) -> usize {
    usize::from(number.saturating_sub(1) / MOVES).min(BINS - 1)
}

/// First and last move of a bin.
fn bounds(bin: usize) -> (u16, Option<u16>) {
    let from = bin as u16 * MOVES + 1;
    (from, (bin + 1 < BINS).then_some(from + MOVES - 1))
}

/// Means of values by full move, up to the last bin that has any.
fn by_move(values: impl Iterator<Item = (u16, f64)>) -> Vec<Bin> {
    let mut sums = [(0u64, 0.0); BINS];
    for (number, value) in values {
        let (turns, sum) = &mut sums[bin_of(number)];
        *turns += 1;
        *sum += value;
    }
    let used = sums.iter().rposition(|(turns, _)| *turns > 0).map_or(0, |last| last + 1);
    let bin = |(i, &(turns, sum)): (usize, &(u64, f64))| {
        let (from, to) = bounds(i);
        Bin { from, to, turns, mean: if turns == 0 { 0.0 } else { sum / turns as f64 } }
    };
    sums[..used].iter().enumerate().map(bin).collect()
}

impl Report {
    /// The statistics of games of a study.
    pub fn new(study: &Study, facts: &[Facts]) -> Self {
        let info = study.variant.info();
        let games = facts.len() as u64;
        let turns = || facts.iter().flat_map(|game| &game.turns);
        let won = || facts.iter().filter(|game| game.winner.is_some());
        let decisive = won().count() as u64;
        let choices = Choices {
            turns: Summary::new(turns().map(|turn| f64::from(turn.choices))),
            by_move: by_move(turns().map(|turn| (turn.number, f64::from(turn.choices)))),
            forced: Share::of_cases(count(turns(), |turn| turn.choices == 1), turns().count() as u64),
        };
        let mut becomes = BTreeMap::new();
        for role in turns().filter_map(|turn| turn.becomes) {
            *becomes.entry(role.letter()).or_insert(0) += 1;
        }
        let changes: Vec<f64> = facts.iter().map(|game| f64::from(game.lead_changes())).collect();
        let material = |i: usize| mean(&facts.iter().map(|game| f64::from(game.material[i])).collect::<Vec<_>>());
        Self {
            format: FORMAT,
            variant: info.id,
            name: info.names[0],
            rules_version: info.rules_version,
            program: env!("CARGO_PKG_VERSION"),
            effort: study.effort.to_string(),
            beginning: study.beginning,
            fen: study.fen.clone(),
            seed: study.seed,
            games,
            distinct: facts.iter().map(|game| (&game.fen, &game.text)).collect::<BTreeSet<_>>().len() as u64,
            white: White::new(facts),
            decisive: Share::of_cases(decisive, games),
            endings: endings(facts),
            plies: Summary::new(facts.iter().map(|game| game.turns.len() as f64)),
            lengths: lengths(facts),
            choices,
            uses: Feature::of_game(info).into_iter().map(|feature| Use::new(feature, facts)).collect(),
            decides: Decides::new(facts),
            leads: Leads {
                changes: mean(&changes),
                games: Share::of_cases(count(&changes, |&&changes| changes > 0.0), games),
                comebacks: Share::of_cases(count(won(), |game| game.comeback()), decisive),
            },
            material: Material { start: material(0), end: material(1) },
            becomes,
            first_moves: match study.beginning {
                Beginning::Start(_) => first_moves(facts),
                Beginning::Random(_) => Vec::new(),
            },
            shortest: shortest(facts),
        }
    }
}

fn count<T>(items: impl IntoIterator<Item = T>, which: impl Fn(&T) -> bool) -> u64 {
    items.into_iter().filter(which).count() as u64
}

/// White's wins, draws and losses.
fn results<'a>(facts: impl IntoIterator<Item = &'a Facts>) -> [u64; 3] {
    let mut results = [0; 3];
    for game in facts {
        results[match game.winner {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
    }
    results
}

impl White {
    fn new(facts: &[Facts]) -> Option<Self> {
        let [wins, draws, losses] = results(facts);
        let score = Share::of_points(wins, draws, losses)?;
        Some(Self { wins, draws, losses, score, elo: Some(elo_of_score(score.value)).filter(|elo| elo.is_finite()) })
    }
}

fn endings(facts: &[Facts]) -> Vec<Ending> {
    let mut games = BTreeMap::<&str, Vec<&Facts>>::new();
    for game in facts {
        games.entry(&game.ending).or_default().push(game);
    }
    let mut endings: Vec<Ending> = games
        .into_iter()
        .map(|(reason, games)| {
            let [white, drawn, black] = results(games);
            Ending { reason: reason.to_owned(), white, drawn, black }
        })
        .collect();
    endings.sort_by_key(|ending| std::cmp::Reverse(ending.white + ending.drawn + ending.black));
    endings
}

fn lengths(facts: &[Facts]) -> Vec<Length> {
    let mut bins = vec![Vec::new(); BINS];
    for game in facts {
        bins[bin_of(game.turns.last().map_or(1, |turn| turn.number))].push(game);
    }
    let used = bins.iter().rposition(|bin| !bin.is_empty()).map_or(0, |last| last + 1);
    bins.truncate(used);
    bins.into_iter()
        .enumerate()
        .map(|(i, games)| {
            let (from, to) = bounds(i);
            let [white, drawn, black] = results(games);
            Length { from, to, white, drawn, black }
        })
        .collect()
}

impl Use {
    fn new(feature: Feature, facts: &[Facts]) -> Self {
        let has = |turn: &Turn| turn.features.contains(&feature);
        let all = || facts.iter().flat_map(|game| &game.turns);
        let used: Vec<&Turn> = all().filter(|turn| has(turn)).collect();
        let turns = used.len() as u64;
        let firsts: Vec<f64> = facts
            .iter()
            .filter_map(|game| game.turns.iter().find(|turn| has(turn)))
            .map(|turn| f64::from(turn.number))
            .collect();
        let per = |of: usize| if of == 0 { 0.0 } else { turns as f64 / of as f64 };
        Self {
            feature,
            name: feature.name(),
            label: feature.label(),
            special: feature.special(),
            part: feature.part(),
            turns,
            share: per(all().count()),
            per_game: per(facts.len()),
            games: Share::of_cases(firsts.len() as u64, facts.len() as u64),
            first: Some(Summary::new(firsts.iter().copied()).median).filter(|_| !firsts.is_empty()),
            captures: count(&used, |turn| turn.captures),
            checks: count(&used, |turn| turn.checks),
            by_move: by_move(all().map(|turn| (turn.number, f64::from(u8::from(has(turn)))))),
        }
    }
}

impl Decides {
    fn new(facts: &[Facts]) -> Self {
        let all = || facts.iter().flat_map(|game| &game.turns);
        let won: Vec<&Facts> = facts.iter().filter(|game| game.winner.is_some()).collect();
        let of = won.len() as u64;
        // By game, so that a long game with much of it does not count for many.
        let (mut windows, mut singles) = (Vec::new(), Vec::new());
        for game in &won {
            let own: Vec<bool> =
                game.turns.iter().filter(|turn| Some(turn.color) == game.winner).map(Turn::special).collect();
            let threes: Vec<f64> = own.windows(3.min(own.len().max(1))).map(|w| number(w.contains(&true))).collect();
            windows.push(mean(&threes));
            singles.push(mean(&own.iter().map(|&special| number(special)).collect::<Vec<_>>()));
        }
        Self {
            turns: Share::of_cases(count(all(), |turn| turn.special()), all().count() as u64),
            finish: Share::of_cases(count(&won, |game| game.special_finish()), of),
            finish_chance: mean(&windows),
            blow: Share::of_cases(count(&won, |game| game.special_blow()), of),
            blow_chance: mean(&singles),
        }
    }
}

fn number(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn first_moves(facts: &[Facts]) -> Vec<FirstMove> {
    let mut games = BTreeMap::<&str, Vec<&Facts>>::new();
    for game in facts {
        if let Some(first) = &game.first {
            games.entry(first).or_default().push(game);
        }
    }
    let mut moves: Vec<FirstMove> = games
        .into_iter()
        .filter_map(|(san, games)| {
            let [wins, draws, losses] = results(games);
            Some(FirstMove { san: san.to_owned(), score: Share::of_points(wins, draws, losses)? })
        })
        .collect();
    moves.sort_by_key(|first| std::cmp::Reverse(first.score.of));
    moves.truncate(FIRST_MOVES);
    moves
}

fn shortest(facts: &[Facts]) -> Vec<ShortWin> {
    let mut wins: Vec<(&Facts, Color)> = facts.iter().filter_map(|game| Some((game, game.winner?))).collect();
    wins.sort_by_key(|(game, _)| (game.turns.len(), game.number));
    wins.dedup_by(|a, b| a.0.text == b.0.text && a.0.fen == b.0.fen);
    wins.truncate(SHORT_WINS);
    wins.into_iter()
        .map(|(game, winner)| ShortWin {
            game: game.number + 1,
            plies: game.turns.len(),
            winner: winner.name(),
            ending: game.ending.clone(),
            fen: game.fen.clone(),
            decided: game.blow().map(|ply| ply + 1),
            text: game.text.clone(),
        })
        .collect()
}
