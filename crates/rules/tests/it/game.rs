//! Results that need the history, the players or the clock.

use warpchess_rules::game::GameError;
use warpchess_rules::{AnyPosition, Color, EndReason, Game, Outcome, VariantId};

fn chess() -> VariantId {
    VariantId::from_name("chess").expect("a game")
}

fn set_up(fen: &str) -> Game {
    Game::from_fen(chess(), fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[track_caller]
fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        game.play_uci(text).unwrap_or_else(|e| panic!("{e}"));
    }
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn threefold_repetition_is_claimed_and_fivefold_ends_the_game() {
    let mut game = Game::new(chess());
    play(&mut game, SHUFFLE);
    assert_eq!((game.repetitions(), game.claimable()), (2, None));
    let error = game.claim_draw().expect_err("nothing to claim");
    assert_eq!(error, GameError::NoClaim { repetitions: 2, plies: 4 });
    play(&mut game, SHUFFLE);
    assert_eq!((game.repetitions(), game.claimable()), (3, Some(EndReason::ThreefoldRepetition)));
    assert_eq!(game.outcome(), None);
    let mut claimed = game.clone();
    assert_eq!(claimed.claim_draw(), Ok(Outcome::draw(EndReason::ThreefoldRepetition)));
    assert!(matches!(claimed.play_uci("e2e4"), Err(GameError::Over(_))));
    play(&mut game, &SHUFFLE.repeat(2));
    assert_eq!(game.outcome(), Some(Outcome::draw(EndReason::FivefoldRepetition)));
    assert_eq!(game.claimable(), None);
    assert!(matches!(game.play_san("e4"), Err(GameError::Over(_))));
}

#[test]
fn ep_square_of_no_use_does_not_split_a_repetition() {
    let mut game = set_up("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    play(&mut game, "g8f6 g1f3 f6g8 f3g1");
    assert_eq!(game.repetitions(), 2);
    // With a pawn that could use it, it does.
    let mut game = set_up("4k3/8/8/8/3pP3/8/8/4K1N1 b - e3 0 1");
    play(&mut game, "e8e7 g1f3 e7e8 f3g1");
    assert_eq!(game.repetitions(), 1);
}

#[test]
fn castling_rights_split_repetitions() {
    let mut game = set_up("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    play(&mut game, "h1h2 e8e7 h2h1 e7e8");
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "h1h2 e8e7 h2h1 e7e8");
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn fifty_moves_are_claimed_and_seventy_five_end_the_game() {
    let mut game = set_up("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
    assert_eq!(game.claimable(), None);
    play(&mut game, "a1a2");
    assert_eq!(game.claimable(), Some(EndReason::FiftyMoves));
    assert_eq!(game.clone().claim_draw(), Ok(Outcome::draw(EndReason::FiftyMoves)));
    let mut game = set_up("4k3/8/8/8/8/8/8/R3K3 w - - 149 105");
    assert_eq!(game.outcome(), None);
    play(&mut game, "a1a2");
    assert_eq!(game.outcome(), Some(Outcome::draw(EndReason::SeventyFiveMoves)));
}

#[test]
fn mate_comes_before_the_seventy_five_moves() {
    let mut game = set_up("7k/8/6K1/8/8/8/8/R7 w - - 149 105");
    play(&mut game, "a1a8");
    assert_eq!(game.outcome(), Some(Outcome::win(Color::White, EndReason::Checkmate)));
}

#[test]
fn stalemate_and_insufficient_material_end_the_game() {
    assert_eq!(set_up("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome(), Some(Outcome::draw(EndReason::Stalemate)));
    let mut game = set_up("7k/8/6K1/8/8/8/6p1/8 w - - 0 1");
    assert_eq!(game.outcome(), None);
    play(&mut game, "g6h6 g2g1b");
    assert_eq!(game.outcome(), Some(Outcome::draw(EndReason::InsufficientMaterial)));
    assert!(matches!(game.play_uci("h6g6"), Err(GameError::Over(_))));
}

#[test]
fn out_of_time_against_a_bare_king_is_a_draw() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    assert_eq!(set_up(fen).time_out(Color::White), Ok(Outcome::draw(EndReason::Timeout)));
    assert_eq!(set_up(fen).time_out(Color::Black), Ok(Outcome::win(Color::White, EndReason::Timeout)));
}

#[test]
fn players_end_the_game_once() {
    let mut game = Game::new(chess());
    assert_eq!(game.resign(Color::White), Ok(Outcome::win(Color::Black, EndReason::Resignation)));
    let over = Err(GameError::Over(Outcome::win(Color::Black, EndReason::Resignation)));
    assert_eq!(game.resign(Color::Black), over);
    assert_eq!(game.agree_draw(), over);
    assert_eq!(game.time_out(Color::White), over);
    assert_eq!(game.claim_draw(), over);
    let mut game = Game::new(chess());
    assert_eq!(game.agree_draw().map(|o| o.score()), Ok("1/2-1/2"));
}

#[test]
fn taking_back_restores_everything() {
    let mut game = Game::new(chess());
    let mut seen = vec![(game.position().fen(), game.repetitions())];
    for text in SHUFFLE.repeat(2).split_whitespace() {
        play(&mut game, text);
        seen.push((game.position().fen(), game.repetitions()));
    }
    game.resign(Color::White).expect("not over");
    while let Some((fen, repetitions)) = seen.pop() {
        assert_eq!((game.position().fen(), game.repetitions()), (fen, repetitions));
        assert_eq!(game.take_back().is_some(), !seen.is_empty());
        assert_eq!(game.outcome(), None);
    }
    assert!(game.is_empty());
}

#[test]
fn illegal_moves_leave_the_game_as_it_is() {
    let mut game = Game::new(chess());
    assert!(matches!(game.play_uci("e2e5"), Err(GameError::Uci(_))));
    assert!(matches!(game.play_san("Ke2"), Err(GameError::San(_))));
    let foreign = set_up("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").position().legal_moves()[0];
    assert!(game.is_empty() && game.moves().len() == 0);
    if !game.position().is_legal(foreign) {
        assert!(matches!(game.play(foreign), Err(GameError::Illegal { .. })));
    }
    assert_eq!(game.position().fen(), chess().start().fen());
}

#[test]
fn history_tells_moves_positions_and_effects() {
    let mut game = Game::new(chess());
    play(&mut game, "e2e4 d7d5 e4d5");
    assert_eq!(game.len(), 3);
    assert_eq!((0..3).filter_map(|i| game.san(i)).collect::<Vec<_>>(), ["e4", "d5", "exd5"]);
    assert_eq!(game.san(3), None);
    assert_eq!(game.effects(2).len(), 2, "a capture removes and moves");
    assert!(game.effects(9).is_empty());
    assert_eq!(game.position_at(0).map(AnyPosition::fen), Some(chess().start().fen()));
    assert_eq!(game.position_at(3).map(AnyPosition::fen), Some(game.position().fen()));
    assert!(game.position_at(4).is_none());
}

fn of(variant: &str, fen: &str) -> Game {
    Game::from_fen(variant.parse().expect("a game"), fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

#[test]
fn pockets_split_repetitions() {
    let mut game = of("pocketmutation", "4k3/8/8/8/8/8/8/1N2K3[] w - - 0 5");
    play(&mut game, "b1^N e8e7 N@b1 e7e8");
    assert_eq!(game.repetitions(), 2, "placed back, nothing has changed");
    let mut game = of("pocketmutation", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 5");
    play(&mut game, "N@b1 e8e7 b1^B e7e8");
    assert_eq!(game.repetitions(), 1, "another piece in the pocket");
}

#[test]
fn portals_split_repetitions() {
    let key =
        |portals: &str| of("porthole", &format!("4k3/8/8/8/8/4N3/8/4K3 w - - {portals} 0 1")).position().hash_key();
    let keys = ["-", "c4", "c4c4", "c4c4c4", "c4g4", "c4c4g4", "c4g4g4", "c4c4g4g4"].map(key);
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "stacks count");
    }
    let mut game = of("porthole", "4k3/8/8/8/8/4N3/8/4K3 w - - a8h8 0 1");
    play(&mut game, "e3d1 e8e7 d1e3 e7e8");
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn area_to_move_and_declarations_split_repetitions() {
    let mut game = Game::new("twinportal".parse().expect("a game"));
    play(&mut game, "g1f3 g8f6 g1f3 g8f6 f3g1 f6g8 f3g1");
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "f6g8");
    assert_eq!(game.repetitions(), 2);
    let boards = "8/8/8/8/R7/8/8/K7|7k/8/8/8/8/8/8/8";
    let key = |rest: &str| of("twinportal", &format!("{boards} {rest}")).position().hash_key();
    assert_ne!(key("w B -|- -|- -/- 0 5"), key("w B -|- -|- a4/- 0 5"));
}

#[test]
fn games_with_a_draw_of_their_own_at_fifty_moves_end_there() {
    let mut game = of("pocketmutation", "4k3/8/8/8/8/8/8/R3K3[] w - - 99 80");
    assert_eq!(game.outcome(), None);
    play(&mut game, "a1a2");
    assert_eq!(game.outcome(), Some(Outcome::draw(EndReason::FiftyMoves)));
    assert_eq!(game.claimable(), None);
}

#[test]
fn effects_of_a_move_rebuild_the_board() {
    use warpchess_rules::Effect;
    for variant in VariantId::all() {
        let mut game = Game::new(variant);
        let mut choice = 7usize;
        while game.outcome().is_none() && game.len() < 200 {
            let moves = game.position().legal_moves();
            choice = choice.wrapping_mul(31).wrapping_add(17) % 10_007;
            game.play(moves[choice % moves.len()]).unwrap_or_else(|e| panic!("{variant}: {e}"));
        }
        let mut pieces = game.position_at(0).map(AnyPosition::pieces).unwrap_or_default();
        for ply in 0..game.len() {
            for &effect in game.effects(ply) {
                let mut take = |piece, at| {
                    let i = pieces.iter().position(|&there| there == (at, piece));
                    pieces.remove(i.unwrap_or_else(|| panic!("{variant}: ply {ply}: no {piece:?} on {at:?}")));
                };
                match effect {
                    Effect::Add { piece, at } => pieces.push((at, piece)),
                    Effect::Remove { piece, at } => take(piece, at),
                    Effect::Move { piece, from, to } => {
                        take(piece, from);
                        pieces.push((to, piece));
                    }
                    _ => {}
                }
            }
            let mut there = game.position_at(ply + 1).map(AnyPosition::pieces).unwrap_or_default();
            let order = |p: &(warpchess_rules::Place, warpchess_rules::Piece)| format!("{p:?}");
            pieces.sort_by_key(order);
            there.sort_by_key(order);
            assert_eq!(pieces, there, "{variant}: ply {ply} {:?}", game.san(ply));
        }
    }
}
