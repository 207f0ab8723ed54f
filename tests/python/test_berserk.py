"""The API as the client `berserk`, made for Lichess, uses it: nothing of it is changed but its base URL."""

import io
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import unittest
from datetime import datetime, timedelta, timezone

import berserk
import chess.pgn

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WARPCHESS", str(ROOT / "target/release/warpchess"))
PATIENCE = 60
SCOPES = "bot:play,board:play,challenge:read,challenge:write,preference:read"


class Stream:
    """Reads a stream of berserk in a thread of its own, and gives what comes one by one."""

    def __init__(self, lines):
        self.came = queue.Queue()
        self.thread = threading.Thread(target=self.read, args=(lines,), daemon=True)
        self.thread.start()

    def read(self, lines):
        try:
            for line in lines:
                self.came.put(line)
        except Exception as error:  # The server is stopped while streams are open.
            self.came.put(error)
        self.came.put(None)

    def next(self, kind=None):
        """The next of a kind; what comes before it is left out."""
        while True:
            what = self.came.get(timeout=PATIENCE)
            if isinstance(what, Exception):
                raise what
            if what is None or kind is None or what["type"] == kind:
                return what

    def state_at(self, plies):
        """The next state of a game with so many moves."""
        while (state := self.next("gameState")) is not None:
            if len(state["moves"].split()) == plies:
                return state


class Berserk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.database = f"sqlite:{folder.name}/games.db"
        command = [PROGRAM, "serve", "--port", "0", "--database", cls.database]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.server.stdout.close)
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.kill)
        cls.url = cls.server.stdout.readline().split()[3]
        cls.names = 0

    @classmethod
    def admin(cls, *arguments, said=None):
        command = [PROGRAM, "admin", "--database", cls.database, *arguments]
        done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    @classmethod
    def player(cls, name, bot=False):
        """A new account, as berserk sees it. Names differ from test to test."""
        cls.names += 1
        name = f"{name}-t{cls.names}x"
        cls.admin("create-user", name, *(["--bot"] if bot else []), "--password-stdin", said="a long password\n")
        token = cls.admin("create-token", name, "--scopes", SCOPES)
        client = berserk.Client(berserk.TokenSession(token), base_url=cls.url)
        client.name = name
        client.token = token
        client.play = client.bots if bot else client.board
        return client

    def begin(self, white, black, **terms):
        """A game by challenge; `white` challenges. Both follow it: the id and the two streams."""
        terms = {"clock_limit": 300, "clock_increment": 3, "rated": False, **terms}
        events = Stream(black.bots.stream_incoming_events())
        made = white.challenges.create(black.name, color="white", **terms)
        came = events.next("challenge")
        self.assertEqual(came["challenge"]["id"], made["id"])
        self.assertEqual(came["challenge"]["challenger"]["name"], white.name)
        black.challenges.accept(made["id"])
        began = events.next("gameStart")["game"]
        self.assertEqual((began["gameId"], began["color"]), (made["id"], "black"))
        game = made["id"]
        return game, Stream(white.play.stream_game_state(game)), Stream(black.play.stream_game_state(game))

    def play(self, white, black, **terms):
        """Plays `moves`, each after it was seen in the stream."""
        moves = terms.pop("moves")
        game, *streams = self.begin(white, black, **terms)
        fulls = [stream.next("gameFull") for stream in streams]
        for ply, move in enumerate(moves):
            (white, black)[ply % 2].play.make_move(game, move)
            for stream in streams:
                state = stream.state_at(ply + 1)
                self.assertEqual(state["moves"].split(), moves[: ply + 1])
        return game, streams, fulls[0]

    def test_an_account_is_told_in_the_shape_that_the_client_reads(self):
        ann = self.player("Ann")
        account = ann.account.get()
        self.assertEqual((account["id"], account["username"]), (ann.name.lower(), ann.name))
        self.assertLess(datetime.now(timezone.utc) - account["createdAt"], timedelta(minutes=10))
        self.assertEqual(account["perfs"]["blitz"]["rating"], 1500)
        self.assertTrue(account["perfs"]["blitz"]["prov"])
        self.assertEqual(ann.account.get_email(), "")
        self.assertIn("prefs", ann.account.get_preferences())
        self.assertFalse(ann.account.get_kid_mode())
        self.assertEqual(ann.users.get_public_data(ann.name.upper())["id"], ann.name.lower())
        self.assertEqual([user["id"] for user in ann.users.get_by_id(ann.name, "nobody")], [ann.name.lower()])
        self.assertTrue(ann.users.get_realtime_statuses(ann.name)[0]["online"])
        self.assertEqual(ann.users.get_rating_history(ann.name), [])
        self.assertEqual(ann.users.get_by_autocomplete(ann.name[:6])[0], ann.name)
        tested = ann.oauth.test_tokens(ann.token, "wct_nothingofthekindatall")
        self.assertEqual(tested[ann.token]["userId"], ann.name.lower())
        self.assertIsNone(tested["wct_nothingofthekindatall"])

    def test_a_refusal_is_an_error_that_says_why(self):
        ann = self.player("Ann")
        with self.assertRaises(berserk.exceptions.ResponseError) as caught:
            ann.users.get_public_data("nobody")
        self.assertEqual(caught.exception.status_code, 404)
        self.assertIn("nobody", caught.exception.cause["error"])
        stranger = berserk.Client(berserk.TokenSession("wct_nothingofthekindatall"), base_url=self.url)
        with self.assertRaises(berserk.exceptions.ResponseError) as caught:
            stranger.account.get()
        self.assertEqual(caught.exception.status_code, 401)

    def test_a_game_is_imported_and_exported_again(self):
        ann = self.player("Ann")
        made = ann.games.import_game('[White "Steinitz"]\n[Black "Bardeleben"]\n\n1. e4 {best by test} e5 2. Nf3 1-0')
        self.assertTrue(made["url"].endswith(made["id"]))
        pgn = ann.games.export(made["id"], as_pgn=True)
        game = chess.pgn.read_game(io.StringIO(pgn))
        self.assertEqual((game.headers["White"], game.headers["Result"]), ("Steinitz", "1-0"))
        self.assertEqual(game.next().comment, "best by test")
        with self.assertRaises(berserk.exceptions.ResponseError) as caught:
            ann.games.import_game("1. e4 e5 2. Ke3 *")
        self.assertIn("move 2.", caught.exception.cause["error"])

    def test_games_of_some_players_are_watched_and_time_is_given(self):
        ann, bob = self.player("Ann", bot=True), self.player("Bob", bot=True)
        watched = Stream(ann.games.get_among_players(ann.name, bob.name, with_current_games=True))
        game, *_ = self.begin(ann, bob)
        self.assertEqual((began := watched.next())["id"], game)
        self.assertIsInstance(began["createdAt"], datetime)
        before = bob.games.export(game)
        bob.challenges.add_time_to_opponent_clock(game, 60)
        state = Stream(bob.bots.stream_game_state(game)).next("gameFull")["state"]
        self.assertEqual(before["id"], game)
        self.assertEqual(state["wtime"] - state["btime"], 60_000)

    def test_games_are_followed_by_their_ids_and_their_clocks_started(self):
        ann, bob = self.player("Ann", bot=True), self.player("Bob", bot=True)
        first, *_ = self.begin(ann, bob)
        followed = Stream(ann.games.stream_games_by_ids(first, stream_id="ours"))
        self.assertEqual((told := followed.next())["id"], first)
        self.assertEqual((told["statusName"], told["players"]["white"]["userId"]), ("started", ann.name.lower()))
        second, *_ = self.begin(bob, ann)
        ann.games.add_game_ids_to_stream(second, stream_id="ours")
        self.assertEqual(followed.next()["id"], second)
        ann.challenges.start_clocks(first, bob.token, ann.token)
        ann.challenges.start_clocks(first, ann.token, bob.token)
        bob.bots.abort_game(first)
        told = followed.next()
        self.assertEqual((told["id"], told["statusName"]), (first, "aborted"))
        with self.assertRaises(berserk.exceptions.ResponseError) as caught:
            ann.challenges.start_clocks(second, ann.token, ann.token)
        self.assertEqual(caught.exception.status_code, 403)

    def test_an_account_becomes_a_bots_and_is_seen_among_bots(self):
        robot = self.player("Robot")
        robot.account.upgrade_to_bot()
        self.assertEqual(robot.account.get()["title"], "BOT")
        self.assertIn(robot.name, [bot["username"] for bot in robot.bots.get_online_bots(limit=50)])

    def test_two_bots_play_a_rated_game_to_mate(self):
        white, black = self.player("Wbot", bot=True), self.player("Bbot", bot=True)
        events = Stream(white.bots.stream_incoming_events())
        moves = ["f2f3", "e7e5", "g2g4", "d8h4"]
        game, streams, full = self.play(white, black, rated=True, moves=moves)
        self.assertEqual((full["variant"]["key"], full["initialFen"], full["speed"]), ("standard", "startpos", "blitz"))
        self.assertEqual(full["clock"], {"initial": 300000, "increment": 3000})
        self.assertEqual((full["white"]["name"], full["white"]["title"]), (white.name, "BOT"))
        self.assertIsNone(streams[0].next(), "the stream ends with the game")
        finish = events.next("gameFinish")["game"]
        self.assertEqual((finish["winner"], finish["status"]["name"]), ("black", "mate"))
        self.assertGreater(black.account.get()["perfs"]["blitz"]["rating"], 1500)
        self.assertEqual(len(white.users.get_rating_history(white.name)[0]["points"]), 1)

        exported = white.games.export(game)
        self.assertEqual((exported["status"], exported["winner"]), ("mate", "black"))
        self.assertEqual(exported["moves"], "f3 e5 g4 Qh4#")
        self.assertIsInstance(exported["createdAt"], datetime)
        pgn = chess.pgn.read_game(io_of(white.games.export(game, as_pgn=True, clocks=True)))
        self.assertEqual([move.uci() for move in pgn.mainline_moves()], moves)
        self.assertEqual((pgn.headers["White"], pgn.headers["Result"]), (white.name, "0-1"))
        self.assertIsNotNone(pgn.next().clock())

    def test_the_games_of_a_player_come_as_a_stream(self):
        white, black = self.player("Walt"), self.player("Bert")
        games = []
        for _ in range(2):
            game, streams, _ = self.play(white, black, moves=["e2e4", "e7e5"])
            white.board.resign_game(game)
            games.append(game)
        listed = list(white.games.export_by_player(white.name, vs=black.name))
        self.assertEqual([game["id"] for game in listed], games[::-1])
        self.assertEqual((listed[0]["moves"], listed[0]["status"]), ("e4 e5", "resign"))
        texts = list(white.games.export_by_player(white.name, as_pgn=True))
        self.assertEqual(len(texts), 2)
        self.assertTrue(all(chess.pgn.read_game(io_of(text)).headers["Termination"] == "Normal" for text in texts))
        many = list(white.games.export_multi(*games))
        self.assertEqual([game["id"] for game in many], games)
        self.assertEqual(next(white.games.export_ongoing_by_player(white.name))["id"], games[1])

    def test_games_with_portals_pockets_and_two_boards_are_played_with_their_moves(self):
        """Games of every variant, their special moves preferred; the archive has what was played."""
        white, black = self.player("Wbot", bot=True), self.player("Bbot", bot=True)
        for variant in ["porthole", "pocketmutation", "portalduel", "twinportal", "splitportal", "teleport"]:
            with self.subTest(variant):
                moves = self.line(variant, plies=30)
                game, streams, full = self.play(white, black, variant=variant, moves=moves)
                self.assertEqual(full["variant"]["key"], variant)
                exported = white.games.export(game)
                if exported["status"] == "started":
                    white.bots.resign_game(game)
                    self.assertEqual(streams[1].next("gameState")["winner"], "black")
                    exported = white.games.export(game)
                self.assertEqual(exported["variant"], variant)
                self.assertEqual(len(exported["moves"].split()), len(moves))
                pgn = white.games.export(game, as_pgn=True)
                self.assertIn(f'[Variant "{variant}"]', pgn)

    def line(self, variant, plies):
        """A line of moves by chance, special ones preferred, as the program itself finds them."""
        moves, position = [], "-"
        for ply in range(plies):
            legal = run("moves", variant, position).split()
            if not legal:
                break
            special = [move for move in legal if len(move) > 5 or not move[0].islower()]
            choice = special if special and ply % 3 == 0 else legal
            moves.append(choice[(ply * 7 + 3) % len(choice)])
            position = run("apply", variant, position, moves[-1]).splitlines()[0]
        return moves

    def test_players_talk_offer_draws_and_take_back(self):
        white, black = self.player("Walt"), self.player("Bert")
        game, (to_white, to_black), _ = self.play(white, black, moves=["e2e4", "e7e5", "g1f3"])
        white.board.post_message(game, "Good luck!")
        line = to_black.next("chatLine")
        self.assertEqual((line["username"], line["text"], line["room"]), (white.name, "Good luck!", "player"))
        self.assertEqual(black.board.get_game_chat(game), [{"user": white.name, "text": "Good luck!"}])

        white.board.offer_takeback(game)
        self.assertTrue(to_black.next("gameState")["wtakeback"])
        black.board.decline_takeback(game)
        self.assertNotIn("wtakeback", to_black.next("gameState"))
        white.board.offer_takeback(game)
        self.assertTrue(to_black.next("gameState")["wtakeback"])
        black.board.accept_takeback(game)
        self.assertEqual(to_black.next("gameState")["moves"], "e2e4 e7e5")

        black.board.offer_draw(game)
        while not to_white.next("gameState").get("bdraw"):
            pass
        white.board.decline_draw(game)
        self.assertNotIn("bdraw", to_white.next("gameState"))
        white.board.offer_draw(game)
        black.board.accept_draw(game)
        while (state := to_white.next("gameState"))["status"] == "started":
            pass
        self.assertEqual(state["status"], "draw")
        self.assertNotIn("winner", state)

    def test_a_game_is_called_off_or_given_up(self):
        white, black = self.player("Walt"), self.player("Bert")
        game, _, to_black = self.begin(white, black)
        # Whose stream begins after the end is told of it at once.
        to_black.next("gameFull")
        white.board.abort_game(game)
        self.assertEqual(to_black.next("gameState")["status"], "aborted")
        game, (to_white, _), _ = self.play(white, black, moves=["d2d4", "d7d5"])
        with self.assertRaises(berserk.exceptions.ResponseError):
            black.board.abort_game(game)
        black.board.resign_game(game)
        state = to_white.next("gameState")
        self.assertEqual((state["status"], state["winner"]), ("resign", "white"))

    def test_wrong_moves_are_refused_and_change_nothing(self):
        white, black = self.player("Walt"), self.player("Bert")
        game, *_ = self.begin(white, black)
        for player, move in [(black, "e7e5"), (white, "e2e5"), (white, "nonsense")]:
            with self.assertRaises(berserk.exceptions.ResponseError):
                player.board.make_move(game, move)
        self.assertEqual(white.games.export(game)["moves"], "")

    def test_challenges_are_declined_and_taken_back(self):
        ann, bob = self.player("Ann"), self.player("Bob")
        to_ann, to_bob = Stream(ann.board.stream_incoming_events()), Stream(bob.board.stream_incoming_events())
        made = ann.challenges.create(bob.name, rated=False, days=2, variant="porthole")
        self.assertEqual(to_bob.next("challenge")["challenge"]["timeControl"]["daysPerTurn"], 2)
        mine = bob.challenges.get_mine()
        self.assertEqual([challenge["id"] for challenge in mine["in"]], [made["id"]])
        bob.challenges.decline(made["id"], reason="tooSlow")
        declined = to_ann.next("challengeDeclined")["challenge"]
        self.assertEqual((declined["id"], declined["declineReasonKey"]), (made["id"], "tooSlow"))

        made = ann.challenges.create(bob.name, rated=False, clock_limit=60, clock_increment=1)
        to_bob.next("challenge")
        ann.challenges.cancel(made["id"])
        self.assertEqual(to_bob.next("challengeCanceled")["challenge"]["id"], made["id"])

    def test_an_open_challenge_is_for_whoever_has_its_link(self):
        ann, bob = self.player("Ann"), self.player("Bob")
        made = ann.challenges.create_open(clock_limit=60, clock_increment=1, variant="standard")
        events = Stream(ann.board.stream_incoming_events())
        bob.challenges.accept(made["id"])
        self.assertEqual(events.next("gameStart")["game"]["gameId"], made["id"])
        self.assertEqual(bob.games.get_ongoing()[0]["gameId"], made["id"])

    def test_the_computer_is_challenged_and_answers(self):
        ann = self.player("Ann")
        fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        made = ann.challenges.create_ai(level=1, clock_limit=60, clock_increment=1, color="white", position=fen)
        stream = Stream(ann.board.stream_game_state(made["id"]))
        full = stream.next("gameFull")
        self.assertEqual((full["initialFen"], full["black"]), (fen, {"aiLevel": 1}))
        if not full["state"]["moves"]:
            stream.state_at(1)
        made = ann.challenges.create_ai(level=1, clock_limit=60, clock_increment=1, color="white")
        stream = Stream(ann.board.stream_game_state(made["id"]))
        stream.next("gameFull")
        ann.board.make_move(made["id"], "e2e4")
        self.assertEqual(stream.state_at(2)["moves"].split()[0], "e2e4")

    def test_two_seeks_for_the_same_find_each_other(self):
        ann, bob = self.player("Ann"), self.player("Bob")
        events = Stream(ann.board.stream_incoming_events())
        sought = threading.Thread(target=ann.board.seek, args=(7, 3), kwargs={"variant": "twinportal"}, daemon=True)
        sought.start()
        wait_for(lambda: ann.challenges.get_mine()["out"])
        bob.board.seek(7, 3, variant="twinportal")
        self.assertEqual(events.next("gameStart")["game"]["opponent"]["username"], bob.name)
        sought.join(PATIENCE)
        self.assertFalse(sought.is_alive(), "the seek is over when the game begins")

    def test_any_game_can_be_watched(self):
        white, black = self.player("Walt"), self.player("Bert")
        game, *_ = self.begin(white, black)
        watched = Stream(white.games.stream_game_moves(game))
        self.assertEqual(watched.next()["id"], game)
        self.assertNotIn("lm", watched.next())
        white.board.make_move(game, "e2e4")
        self.assertEqual(watched.next()["lm"], "e2e4")
        white.board.abort_game(game)
        self.assertEqual(watched.next()["status"]["name"], "aborted")
        self.assertIsNone(watched.next())

    def test_the_game_of_an_opponent_who_has_left_can_be_claimed(self):
        white, black = self.player("Walt"), self.player("Bert")
        made = white.challenges.create(black.name, False, clock_limit=60, clock_increment=1, color="white")
        game = made["id"]
        black.challenges.accept(game)
        to_white = Stream(white.board.stream_game_state(game))
        # A connection that can be cut, which berserk's cannot.
        session = berserk.TokenSession(black.token)
        reply = session.get(f"{self.url}/api/board/game/stream/{game}", stream=True)
        self.assertTrue(next(reply.iter_lines()))
        white.board.make_move(game, "e2e4")
        black.board.make_move(game, "e7e5")
        with self.assertRaises(berserk.exceptions.ResponseError):
            white.board.claim_victory(game)
        reply.close()
        gone = to_white.next("opponentGone")
        self.assertTrue(gone["gone"])
        self.assertLessEqual(gone["claimWinInSeconds"], 10)

        def claim():
            try:
                white.board.claim_victory(game)
                return True
            except berserk.exceptions.ResponseError:
                return False

        wait_for(claim)
        while (state := to_white.next("gameState"))["status"] == "started":
            pass
        self.assertEqual(state["winner"], "white")


    def test_two_bots_with_engines_play_a_game_to_its_end(self):
        """`examples/bot.py`, a process a bot; one is told to challenge the other."""
        white, black = self.player("Wbot", bot=True), self.player("Bbot", bot=True)
        events = Stream(white.bots.stream_incoming_events())
        for client in (white, black):
            command = [sys.executable, str(ROOT / "examples/bot.py"), "--url", self.url, "--nodes", "60"]
            bot = subprocess.Popen([*command, "--engine", PROGRAM, "uci"], env={**os.environ, "BOT_TOKEN": client.token})
            self.addCleanup(bot.wait)
            self.addCleanup(bot.kill)
        # Two rooks against a king: a mate is a matter of some moves, for engines.
        fen = "4k3/8/8/8/8/8/R7/R3K3 w - - 0 1"
        made = white.challenges.create(black.name, False, clock_limit=600, clock_increment=5, color="white", position=fen)
        finish = events.next("gameFinish")["game"]
        self.assertEqual(finish["gameId"], made["id"])
        self.assertEqual(finish["status"]["name"], "mate")
        self.assertEqual(finish["winner"], "white")

    def test_a_bot_outlives_its_server_and_challenges_that_are_gone(self):
        """`examples/bot.py` again: what ended it once is nothing to it."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        database = f"sqlite:{folder.name}/games.db"

        def serve(port):
            server = subprocess.Popen(
                [PROGRAM, "serve", "--port", str(port), "--database", database], stdout=subprocess.PIPE, text=True
            )
            self.addCleanup(server.stdout.close)
            self.addCleanup(server.wait)
            self.addCleanup(server.kill)
            return server, server.stdout.readline().split()[3]

        def admin(*arguments, said=None):
            return run_with(said, "admin", "--database", database, *arguments)

        server, url = serve(0)
        tokens = {}
        for name, kind in (("botty", ["--bot"]), ("ann", [])):
            admin("create-user", name, *kind, "--password-stdin", said="a long password\n")
            tokens[name] = admin("create-token", name, "--scopes", SCOPES)
        ann = berserk.Client(berserk.TokenSession(tokens["ann"]), base_url=url)
        command = [sys.executable, str(ROOT / "examples/bot.py"), "--url", url, "--nodes", "60", "--games", "1"]
        environment = {**os.environ, "BOT_TOKEN": tokens["botty"]}
        bot = subprocess.Popen([*command, "--engine", PROGRAM, "uci"], env=environment)
        self.addCleanup(bot.wait)
        self.addCleanup(bot.kill)

        def challenge(**terms):
            return ann.challenges.create("botty", False, clock_limit=600, clock_increment=5, color="white", **terms)["id"]

        # Taken back at once: some of them before the bot has said yes.
        for _ in range(5):
            try:
                ann.challenges.cancel(challenge())
            except berserk.exceptions.ResponseError:
                pass
        for going in ann.games.get_ongoing(50):
            ann.board.abort_game(going["gameId"])
        server.kill()
        server.wait()
        threading.Event().wait(1)
        server, _ = serve(url.rsplit(":", 1)[1])

        made = []

        def plays():
            try:
                if not made:
                    made.append(challenge())
                return any(going["gameId"] == made[0] for going in ann.games.get_ongoing(50))
            except (berserk.exceptions.ApiError, OSError):
                return False

        wait_for(plays)
        game = made[0]
        ann.board.make_move(game, "e2e4")
        wait_for(lambda: len(moves_of(ann, game)) == 2)
        # A second game is one too many; the first goes on after the server was away again.
        second = challenge()
        wait_for(lambda: all(it["id"] != second for it in ann.challenges.get_mine()["out"]))
        self.assertEqual([going["gameId"] for going in ann.games.get_ongoing(50)], [game])
        server.kill()
        server.wait()
        serve(url.rsplit(":", 1)[1])
        wait_for(lambda: answers(ann))
        ann.board.make_move(game, "d2d4")
        wait_for(lambda: len(moves_of(ann, game)) == 4)
        self.assertIsNone(bot.poll())


def moves_of(client, game):
    return client.games.export(game)["moves"].split()


def answers(client):
    try:
        return bool(client.account.get())
    except (berserk.exceptions.ApiError, OSError):
        return False


def run_with(said, *arguments):
    done = subprocess.run([PROGRAM, *arguments], input=said, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def wait_for(what):
    """Asks until there is something."""
    for _ in range(PATIENCE * 10):
        if what():
            return
        threading.Event().wait(0.1)
    raise AssertionError("it did not come about")


def io_of(text):
    return io.StringIO(text)


if __name__ == "__main__":
    unittest.main()
