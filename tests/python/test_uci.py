"""The engine as python-chess' engine module drives it: a board that was written by others."""

import os
import pathlib
import time
import unittest

import chess
import chess.engine

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WARPCHESS", str(ROOT / "target/release/warpchess"))
PATIENCE = 60


class Uci(unittest.TestCase):
    def setUp(self):
        self.engine = chess.engine.SimpleEngine.popen_uci([PROGRAM, "uci"], timeout=PATIENCE)
        self.addCleanup(self.engine.close)

    def test_it_names_itself_and_its_options(self):
        self.assertTrue(self.engine.id["name"].startswith("Warpchess "))
        options = self.engine.options
        self.assertIn("twinportal", options["UCI_Variant"].var)
        self.assertEqual(options["Move Overhead"].default, 10)
        self.assertEqual((options["Skill Level"].min, options["Skill Level"].max), (0, 20))

    def test_a_short_game_is_legal_throughout(self):
        board = chess.Board()
        for _ in range(40):
            if board.is_game_over():
                break
            result = self.engine.play(board, chess.engine.Limit(nodes=400), info=chess.engine.INFO_ALL)
            self.assertIn(result.move, board.legal_moves)
            self.assertGreater(result.info["depth"], 0)
            self.assertEqual(result.info["pv"][0], result.move)
            board.push(result.move)
        self.assertGreater(board.ply(), 10)

    def test_a_game_by_the_clock_is_not_lost_on_time(self):
        board = chess.Board()
        clocks = [1.0, 1.0]
        while not board.is_game_over() and board.ply() < 30:
            side = 0 if board.turn else 1
            limit = chess.engine.Limit(white_clock=clocks[0], black_clock=clocks[1], white_inc=0.01, black_inc=0.01)
            began = time.monotonic()
            board.push(self.engine.play(board, limit, ponder=True).move)
            # A busy machine is slow in all it does; the other tests hold the engine to the millisecond.
            clocks[side] = max(clocks[side] - (time.monotonic() - began) + 0.01, 0.05)

    def test_an_analysis_has_lines_scores_and_an_end_when_it_is_stopped(self):
        board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
        lines = self.engine.analyse(board, chess.engine.Limit(depth=4), multipv=3)
        self.assertEqual(len(lines), 3)
        self.assertEqual(lines[0]["score"].white(), chess.engine.Mate(1))
        self.assertEqual(lines[0]["pv"], [chess.Move.from_uci("f3f7")])
        with self.engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 3:
                    break
            analysis.stop()
            self.assertIsNotNone(analysis.wait().move)
        self.engine.ping()

    def test_moves_to_search_are_kept_to(self):
        board = chess.Board()
        only = [chess.Move.from_uci("h2h3")]
        self.assertEqual(self.engine.play(board, chess.engine.Limit(depth=3), root_moves=only).move, only[0])

    def test_strength_can_be_limited(self):
        self.engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 800, "Hash": 1, "Skill Level": 3})
        self.assertIn(self.engine.play(chess.Board(), chess.engine.Limit(time=1)).move, chess.Board().legal_moves)

    def test_a_finished_game_has_no_move(self):
        board = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
        self.assertIsNone(self.engine.play(board, chess.engine.Limit(depth=3)).move)


if __name__ == "__main__":
    unittest.main()
