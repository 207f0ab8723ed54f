#!/usr/bin/env python3
"""A bot: it accepts challenges and plays them with a UCI engine, `warpchess uci` unless another is named.

It is made of the PyPI package `berserk`, a client of Lichess' API, and the standard library:

    pip install berserk
    echo "a long password" | warpchess admin create-user my-bot --bot --password-stdin
    export BOT_TOKEN=$(warpchess admin create-token my-bot --scopes bot:play,challenge:read,challenge:write)
    python3 examples/bot.py --url http://127.0.0.1:8080

It plays many games at once (`--games`), one engine a game, and comes back when the server or the network was away: games
that go on are found again. Challenges that are gone meanwhile are no trouble; those that are too many are declined.
"""

import argparse
import os
import random
import subprocess
import sys
import threading
import time

import berserk
import requests
import requests.adapters


class EngineFailed(Exception):
    """The engine has ended, or says what nobody understands."""


class Engine:
    """A UCI engine as a process."""

    def __init__(self, command, variant):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("uci")
        self.wait_for("uciok")
        self.say(f"setoption name UCI_Variant value {variant}")
        self.say("isready")
        self.wait_for("readyok")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def wait_for(self, word):
        """The words of the next line that begins so."""
        for line in self.process.stdout:
            words = line.split()
            if words and words[0] == word:
                return words
        raise EngineFailed("the engine has ended")

    def move(self, fen, moves, clock):
        """The best move after `moves`; None if there is none. `0000` is a pass, where the game has one."""
        position = "startpos" if fen == "startpos" else f"fen {fen}"
        self.say(f"position {position}" + (f" moves {moves}" if moves else ""))
        self.say("go " + clock)
        best = self.wait_for("bestmove")[1]
        return None if best == "(none)" else best

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def millis(time):
    """berserk makes times of the stream time spans; those of `gameFull` it leaves as numbers."""
    return int(time.total_seconds() * 1000) if hasattr(time, "total_seconds") else int(time)


class Patient(requests.adapters.HTTPAdapter):
    """Gives a connection up that says nothing: streams of the server send an empty line every six seconds."""

    def send(self, request, **options):
        options["timeout"] = options.get("timeout") or (10, 30)
        return super().send(request, **options)


class Backoff:
    """Waits longer from one failure to the next, and by chance, so that not all come back at once."""

    def __init__(self):
        self.failures = 0

    def wait(self, error):
        self.failures += 1
        seconds = min(30, 2 ** min(self.failures, 5) / 2) * random.uniform(0.5, 1)
        response = getattr(error, "response", None)
        if response is not None and response.headers.get("Retry-After", "").isdigit():
            seconds = max(seconds, int(response.headers["Retry-After"]))
        time.sleep(seconds)

    def reset(self):
        self.failures = 0


def status(error):
    """The status of a refusal; None where there was no reply."""
    response = getattr(error, "response", None)
    return None if response is None else response.status_code


def is_passing(error):
    """Whether it may go better later."""
    return status(error) is None or status(error) == 429 or status(error) >= 500


# What goes wrong on the way: berserk's errors, and those of requests while a stream is read.
TROUBLE = (berserk.exceptions.ApiError, requests.RequestException, OSError, ValueError)


class Bot:
    def __init__(self, url, token, engine, most_nodes=None, most_games=20):
        self.url = url.rstrip("/")
        self.session = berserk.TokenSession(token)
        for scheme in ("http://", "https://"):
            self.session.mount(scheme, Patient(pool_maxsize=most_games + 4))
        self.client = berserk.Client(self.session, base_url=url)
        self.engine = engine
        self.most_nodes = most_nodes
        self.most_games = most_games
        self.lock = threading.Lock()
        self.playing = set()

    def run(self):
        """Accepts what comes, and plays; comes back when the server was away."""
        backoff = Backoff()
        while True:
            try:
                self.id = self.client.account.get()["id"]
                # The stream begins with the games that go on; challenges may have come while nobody listened.
                for challenge in self.client.challenges.get_mine()["in"]:
                    self.challenged(challenge)
                for event in self.client.bots.stream_incoming_events():
                    backoff.reset()
                    if event["type"] == "challenge":
                        self.challenged(event["challenge"])
                    elif event["type"] == "gameStart":
                        self.begin(event["game"]["gameId"])
                error = None
                say("the stream of events has ended")
            except TROUBLE as trouble:
                error = trouble
                say(f"no connection: {error}")
                if status(error) in (401, 403):
                    raise SystemExit("the token is refused") from error
            backoff.wait(error)

    def challenged(self, challenge):
        """Accepts a challenge, or declines it when there are games enough."""
        if challenge["challenger"]["id"] == self.id or challenge.get("status", "created") != "created":
            return
        with self.lock:
            full = len(self.playing) >= self.most_games
        try:
            if full:
                self.client.bots.decline_challenge(challenge["id"], reason="later")
            else:
                self.client.bots.accept_challenge(challenge["id"])
                # The game has the challenge's id.
                self.begin(challenge["id"])
        except TROUBLE as error:
            # It may have been taken back, or have run out.
            say(f"challenge {challenge['id']} was not taken: {error}")

    def begin(self, game):
        with self.lock:
            if game in self.playing:
                return
            self.playing.add(game)
        threading.Thread(target=self.play, args=(game,), daemon=True).start()

    def play(self, game):
        """Plays a game to its end, however often the connection breaks."""
        backoff = Backoff()
        player = Player(self, game)
        try:
            while not player.over:
                try:
                    for event in self.client.bots.stream_game_state(game):
                        backoff.reset()
                        player.told(event)
                    if not player.over:
                        backoff.wait(None)
                except TROUBLE as error:
                    say(f"{game}: {error}")
                    if not is_passing(error):
                        return
                    backoff.wait(error)
        except EngineFailed as error:
            say(f"{game}: {error}")
            self.resign(game)
        finally:
            player.close()
            with self.lock:
                self.playing.discard(game)

    def resign(self, game):
        try:
            self.client.bots.resign_game(game)
        except TROUBLE as error:
            say(f"{game} was not resigned: {error}")

    def my_turn(self, game, color):
        """Who has the turn is the server's to say: passes and boards make it more than a matter of counting."""
        reply = self.session.get(f"{self.url}/api/games/{game}")
        reply.raise_for_status()
        return reply.json()["turn"] == color


class Player:
    """A game, and the engine that plays it."""

    def __init__(self, bot, game):
        self.bot = bot
        self.game = game
        self.engine = None
        self.over = False

    def told(self, event):
        if event["type"] == "gameFull":
            self.color = "white" if event["white"].get("id") == self.bot.id else "black"
            variant = event["variant"]["key"]
            self.variant = "chess" if variant == "standard" else variant
            self.fen = event["initialFen"]
            state = event["state"]
        elif event["type"] == "gameState":
            state = event
        else:
            return
        self.over = state["status"] not in ("created", "started")
        if not self.over and self.bot.my_turn(self.game, self.color):
            self.answer(state)

    def answer(self, state):
        clock = f"nodes {self.bot.most_nodes}"
        if self.bot.most_nodes is None:
            times = {name: millis(state[name]) for name in ("wtime", "btime", "winc", "binc")}
            clock = " ".join(f"{name} {time}" for name, time in times.items())
        move = self.think(state["moves"], clock)
        if move is None:
            return
        try:
            self.bot.client.bots.make_move(self.game, move)
        except berserk.exceptions.ResponseError as error:
            if is_passing(error):
                # Then the game is looked at anew, and the move found again if it was not played.
                raise
            # The game may have ended, or a move been taken back, while the engine was thinking.
            say(f"{self.game}: {move} was not played: {error}")

    def think(self, moves, clock):
        """An engine that fell over is started once more."""
        for attempt in (1, 2):
            try:
                if self.engine is None:
                    self.engine = Engine(self.bot.engine, self.variant)
                return self.engine.move(self.fen, moves, clock)
            except (OSError, EngineFailed) as error:
                self.close()
                if attempt == 2:
                    raise EngineFailed(str(error)) from error

    def close(self):
        if self.engine:
            self.engine.close()
            self.engine = None


def say(text):
    print(text, flush=True)


def count(text):
    number = int(text)
    # The server lets an account follow 100 streams at once.
    if not 1 <= number <= 90:
        raise argparse.ArgumentTypeError("1 to 90")
    return number


def main():
    parser = argparse.ArgumentParser(description="A bot that plays with a UCI engine")
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="the server")
    parser.add_argument("--token", default=os.environ.get("BOT_TOKEN"), help="the bot's token, or BOT_TOKEN")
    parser.add_argument("--engine", nargs="+", default=["warpchess", "uci"], help="the engine's command line")
    parser.add_argument("--nodes", type=int, help="nodes a move, instead of going by the clock")
    parser.add_argument("--games", type=count, default=20, help="games at once, 1 to 90; more challenges are declined")
    arguments = parser.parse_args()
    if not arguments.token:
        parser.error("a token is needed: --token or BOT_TOKEN")
    try:
        Engine(arguments.engine, "chess").close()
    except (OSError, EngineFailed) as error:
        parser.error(f"the engine cannot be started: {error}")
    try:
        Bot(arguments.url, arguments.token, arguments.engine, arguments.nodes, arguments.games).run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
