#!/usr/bin/env python3
"""A bot: it accepts challenges and plays them with a UCI engine, `warpchess uci` unless another is named.

It is made of the PyPI package `berserk`, a client of Lichess' API, and the standard library:

    pip install berserk
    echo "a long password" | warpchess admin create-user my-bot --bot --password-stdin
    export BOT_TOKEN=$(warpchess admin create-token my-bot --scopes bot:play,challenge:read,challenge:write)
    python3 examples/bot.py --url http://127.0.0.1:8080

It plays as many games at once as it is challenged to, one engine a game.
"""

import argparse
import os
import subprocess
import threading

import berserk


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
        raise RuntimeError("the engine has ended")

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


class Bot:
    def __init__(self, url, token, engine, most_nodes=None):
        self.client = berserk.Client(berserk.TokenSession(token), base_url=url)
        self.id = self.client.account.get()["id"]
        self.engine = engine
        self.most_nodes = most_nodes

    def run(self):
        """Accepts what comes, and plays."""
        for event in self.client.bots.stream_incoming_events():
            if event["type"] == "challenge" and event["challenge"].get("direction") == "in":
                self.client.bots.accept_challenge(event["challenge"]["id"])
            elif event["type"] == "gameStart":
                threading.Thread(target=self.play, args=(event["game"]["gameId"],), daemon=True).start()

    def play(self, game):
        """Plays a game to its end."""
        engine = None
        try:
            for event in self.client.bots.stream_game_state(game):
                if event["type"] == "gameFull":
                    color = "white" if event["white"].get("id") == self.id else "black"
                    variant = event["variant"]["key"]
                    fen = event["initialFen"]
                    engine = Engine(self.engine, "chess" if variant == "standard" else variant)
                    state = event["state"]
                elif event["type"] == "gameState":
                    state = event
                else:
                    continue
                if state["status"] == "started":
                    self.answer(engine, game, color, fen, state)
        finally:
            if engine:
                engine.close()

    def answer(self, engine, game, color, fen, state):
        # Who has the turn is the server's to say: passes and boards make it more than a matter of counting.
        if not self.my_turn(game):
            return
        clock = f"nodes {self.most_nodes}"
        if self.most_nodes is None:
            times = {name: millis(state[name]) for name in ("wtime", "btime", "winc", "binc")}
            clock = " ".join(f"{name} {time}" for name, time in times.items())
        move = engine.move(fen, state["moves"], clock)
        try:
            if move is not None:
                self.client.bots.make_move(game, move)
        except berserk.exceptions.ResponseError as error:
            # The game may have ended, or a move been taken back, while the engine was thinking.
            print(f"{game}: {move} was not played: {error}", flush=True)

    def my_turn(self, game):
        return any(it["gameId"] == game and it["isMyTurn"] for it in self.client.games.get_ongoing(50))


def main():
    parser = argparse.ArgumentParser(description="A bot that plays with a UCI engine")
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="the server")
    parser.add_argument("--token", default=os.environ.get("BOT_TOKEN"), help="the bot's token, or BOT_TOKEN")
    parser.add_argument("--engine", nargs="+", default=["warpchess", "uci"], help="the engine's command line")
    parser.add_argument("--nodes", type=int, help="nodes a move, instead of going by the clock")
    arguments = parser.parse_args()
    if not arguments.token:
        parser.error("a token is needed: --token or BOT_TOKEN")
    Bot(arguments.url, arguments.token, arguments.engine, arguments.nodes).run()


if __name__ == "__main__":
    main()
