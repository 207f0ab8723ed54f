//! What is played: games thought out beforehand, so that the generator does not compete with the server for the processor.

use warpchess_rules::{Color, Game, VariantId};

/// How many games of a variant are thought out.
const GAMES: u64 = 16;

/// A move, and who plays it.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) by: Color,
    pub(crate) uci: String,
}

/// A game that does not end before its last move.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) variant: VariantId,
    pub(crate) turns: Vec<Turn>,
}

/// Numbers as if by chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (n.max(1) as u64)).unwrap_or(0)
    }
}

/// Games of these variants in turn, of at most so many plies.
pub(crate) fn scripts(variants: &[VariantId], plies: usize) -> Vec<Script> {
    let seeds = 0..GAMES * variants.len() as u64;
    seeds.zip(variants.iter().cycle()).map(|(seed, &variant)| script(variant, seed, plies)).collect()
}

fn script(variant: VariantId, seed: u64, plies: usize) -> Script {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15 ^ (seed + 1));
    let mut game = Game::new(variant);
    let mut turns = Vec::with_capacity(plies);
    while turns.len() < plies {
        let by = game.position().turn();
        let moves = game.position().legal_moves();
        let first = chance.below(moves.len());
        // Any move that does not end the game, from one chosen by chance on.
        let played = (0..moves.len()).map(|i| moves[(first + i) % moves.len()]).find(|&m| {
            let goes_on = game.play(m).is_ok() && game.outcome().is_none();
            if !goes_on {
                game.take_back();
            }
            goes_on
        });
        let Some(played) = played else { break };
        turns.push(Turn { by, uci: played.to_string() });
    }
    Script { variant, turns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_can_be_played_as_it_is_written_and_goes_on() {
        let variants: Vec<_> = VariantId::all().collect();
        for script in scripts(&variants, 80) {
            let mut game = Game::new(script.variant);
            for turn in &script.turns {
                assert_eq!(game.position().turn(), turn.by);
                game.play_uci(&turn.uci).unwrap();
                assert_eq!(game.outcome(), None);
            }
            assert!(script.turns.len() >= 20, "{}: {} plies", script.variant.id(), script.turns.len());
        }
    }
}
