/** A game between people: what is shown is what the server tells, and nothing is sent for another position. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { GameState } from '../../src/lib/api/server';
import type { Color, LegalMove } from '../../src/lib/api/types';
import { OnlineGame, type Line } from '../../src/lib/game/online.svelte';
import type { Ack, GameEvent, Joined } from '../../src/lib/net/messages';
import type { PendingMove } from '../../src/lib/net/pending';
import { realRules } from './wasm';

const rules = await realRules();
const NOW = 1_000_000;

class FakeLine implements Line {
  sent: PendingMove[] = [];
  refreshed = 0;
  now = NOW;
  follow = () => () => undefined;
  refresh = () => void this.refreshed++;
  move = (game: string, ply: number, uci: string, before: readonly string[]) => {
    const move = { game, id: `m${this.sent.length}`, ply, uci, before };
    this.sent.push(move);
    return move;
  };
  act = () => Promise.resolve({} as Ack);
  say = () => Promise.resolve({} as Ack);
  serverNow = () => this.now;
}

const player = { name: 'Ann', user: null, level: null, rating: null, provisional: false, ratingDiff: null };
function state(moves: string[], more: Partial<GameState> = {}): GameState {
  return {
    id: 'game0001',
    variant: 'chess',
    initialFen: null,
    moves,
    ply: moves.length,
    turn: moves.length % 2 === 0 ? 'white' : 'black',
    seq: moves.length + 1,
    status: 'started',
    end: null,
    rated: false,
    speed: 'blitz',
    control: { kind: 'live', limit: 300_000, increment: 0 },
    white: player,
    black: player,
    you: 'white',
    clock: { white: 300_000, black: 300_000, running: null },
    patience: 20_000,
    deadlineAt: null,
    drawOffer: null,
    takebackOffer: null,
    rematchOffer: null,
    rematch: null,
    rematchOf: null,
    createdAt: 0,
    lastMoveAt: null,
    now: NOW,
    ...more,
  };
}
const joined = (told: GameState): Joined => ({ t: 'joined', game: told.id, seq: told.seq, room: 'players', now: NOW, state: told });

let line: FakeLine;
function first(of: FakeLine): PendingMove {
  const [move] = of.sent;
  if (!move) throw new Error('nothing was sent');
  return move;
}
beforeEach(() => (line = new FakeLine()));

function open(moves: string[], more: Partial<GameState> = {}): OnlineGame {
  const told = state(moves, more);
  const info = rules.variants().find((v) => v.id === told.variant);
  if (!info) throw new Error(told.variant);
  const game = new OnlineGame(rules, info, told, line);
  game.joined(joined(told));
  return game;
}

const find = (list: LegalMove[], uci: string): LegalMove => {
  const move = list.find((m) => m.uci === uci);
  if (!move) throw new Error(`${uci} is not among ${list.map((m) => m.uci).join(' ')}`);
  return move;
};
const play = (game: OnlineGame, uci: string) => game.play(find(game.view.legal, uci));
function moved(game: OnlineGame, uci: string, by: Color, more: Partial<GameEvent> = {}): void {
  const before = game.sending && game.moves.at(-1) === uci ? game.moves.length - 1 : game.moves.length;
  game.event({ t: 'event', game: game.id, seq: game.seen + 1, at: NOW, kind: 'move', ply: before + 1, by, uci, ...more });
}
const ack = (game: OnlineGame, move: PendingMove, more: Partial<Ack> = {}) =>
  game.acked(move, { t: 'ack', game: game.id, id: move.id, seq: game.seen, ply: move.ply + 1, ...more });

describe('a move of ours', () => {
  it('is shown at once, sent for its ply, and counts when it is stored', () => {
    const game = open([]);
    play(game, 'e2e4');
    expect(game.moves).toEqual(['e2e4']);
    expect(line.sent).toMatchObject([{ ply: 0, uci: 'e2e4', before: [] }]);
    expect([game.sending, game.held]).toEqual([true, true]);
    moved(game, 'e2e4', 'white');
    expect(game.moves).toEqual(['e2e4']);
    expect(game.held).toBe(false);
  });

  it('that is refused goes back, and it is said why', () => {
    const game = open([]);
    play(game, 'e2e4');
    game.refused(first(line), { t: 'refused', game: game.id, id: 'm0', code: 'out-of-time', error: 'your time was over' });
    expect(game.moves).toEqual([]);
    expect(game.notice).toMatchObject({ kind: 'notPlayed', code: 'out-of-time' });
    expect(line.refreshed).toBe(1);
  });

  it('stays on the board while the connection is away, if it still belongs there', () => {
    const game = open([]);
    play(game, 'e2e4');
    game.lostConnection();
    game.joined(joined(state([])));
    expect(game.moves).toEqual(['e2e4']);
    game.lostConnection();
    game.joined(joined(state(['d2d4', 'd7d5'])));
    expect(game.moves).toEqual(['d2d4', 'd7d5']);
  });

  it('that was played and taken back before its answer has the game asked for', () => {
    const game = open([]);
    play(game, 'e2e4');
    ack(game, first(line), { duplicate: true, ply: 0 });
    expect(line.refreshed).toBe(1);
    game.joined(joined(state([], { seq: 5 })));
    expect(game.moves).toEqual([]);
  });

  it('stops our clock', () => {
    const game = open(['e2e4', 'e7e5'], { clock: { white: 60_000, black: 50_000, running: 'white' } });
    line.now = NOW + 2000;
    expect(game.timeLeft('white')).toBe(58_000);
    play(game, 'g1f3');
    line.now = NOW + 9000;
    expect(game.timeLeft('white')).toBe(58_000);
    moved(game, 'g1f3', 'white', { at: NOW + 2100, clock: { white: 57_900, black: 50_000, running: 'black' } });
    expect([game.timeLeft('white'), game.timeLeft('black')]).toEqual([57_900, 43_100]);
  });
});

describe('nothing is sent', () => {
  it('while the connection is away', () => {
    const game = open([]);
    game.lostConnection();
    expect(game.legal).toEqual([]);
    play(game, 'e2e4');
    expect([game.moves, line.sent]).toEqual([[], []]);
  });

  it('from a position that is looked back at', () => {
    const game = open(['e2e4', 'e7e5']);
    game.lookAt(0);
    expect(game.legal).toEqual([]);
    game.play(find(game.shown.legal, 'd2d4'));
    play(game, 'g1f3');
    expect(line.sent).toEqual([]);
    game.lookAt(2);
    play(game, 'g1f3');
    expect(line.sent).toMatchObject([{ ply: 2, uci: 'g1f3' }]);
  });

  it('by one who watches', () => {
    const game = open([], { you: null });
    play(game, 'e2e4');
    expect(line.sent).toEqual([]);
    expect(game.premovable).toEqual([]);
  });
});

describe('a move decided in advance', () => {
  const waiting = () => open(['e2e4']);
  /** Two pages of one person had one each; that of the other page came first. */
  const second = (playedByTheOther: string) => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'g1f3'));
    moved(game, 'e7e5', 'black');
    const sent = first(line);
    game.refused(sent, { t: 'refused', game: game.id, id: sent.id, code: 'stale', error: 'the move is for ply 2, the game is at ply 3' });
    game.joined(joined(state(['e2e4', 'e7e5', playedByTheOther])));
    return game;
  };

  it('that another page of the same person was faster with is dropped in words of the page', () => {
    const game = second('b1c3');
    expect(game.moves).toEqual(['e2e4', 'e7e5', 'b1c3']);
    expect([game.premoveLost, game.notice]).toEqual([true, null]);
  });

  it('that another page has played just so is no loss', () => {
    const game = second('g1f3');
    expect(game.moves).toEqual(['e2e4', 'e7e5', 'g1f3']);
    expect([game.premoveLost, game.notice]).toEqual([false, null]);
  });

  it('is sent when its turn comes', () => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'g1f3'));
    moved(game, 'e7e5', 'black');
    expect(line.sent).toMatchObject([{ ply: 2, uci: 'g1f3' }]);
  });

  it('is sent after coming back, if only its turn has come', () => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'g1f3'));
    game.lostConnection();
    expect(line.sent).toEqual([]);
    game.joined(joined(state(['e2e4', 'e7e5'])));
    expect(line.sent).toMatchObject([{ ply: 2, uci: 'g1f3' }]);
  });

  it('is dropped when moves were taken back and others played meanwhile', () => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'g1f3'));
    game.lostConnection();
    game.joined(joined(state(['d2d4', 'e7e5'])));
    expect(line.sent).toEqual([]);
    expect(game.premove).toBeNull();
  });

  it('is dropped when it is not legal any more', () => {
    const game = open(['e2e4', 'e7e5', 'd1h5']);
    game.setPremove(find(game.premovable, 'h5e5'));
    moved(game, 'd8e7', 'black');
    expect(line.sent).toMatchObject([{ uci: 'h5e5' }]);
    const other = open(['e2e4', 'e7e5', 'd1h5']);
    other.setPremove(find(other.premovable, 'h5f7'));
    moved(other, 'g7g6', 'black');
    expect(line.sent).toHaveLength(1);
    expect(other.premoveLost).toBe(true);
  });
});

describe('what the server tells', () => {
  it('is shown once', () => {
    const game = open(['e2e4']);
    moved(game, 'e7e5', 'black');
    game.event({ t: 'event', game: game.id, seq: 3, at: NOW, kind: 'move', ply: 2, by: 'black', uci: 'e7e5' });
    expect(game.moves).toEqual(['e2e4', 'e7e5']);
    expect(line.refreshed).toBe(0);
  });

  it('with something missing before it has the game asked for', () => {
    const game = open(['e2e4']);
    game.event({ t: 'event', game: game.id, seq: 9, at: NOW, kind: 'move', ply: 5, by: 'white', uci: 'a2a3' });
    expect(line.refreshed).toBe(1);
    expect(game.moves).toEqual(['e2e4']);
  });

  it('of moves taken back is where the game goes on, with its clocks', () => {
    const game = open(['e2e4', 'e7e5', 'g1f3']);
    game.lookAt(1);
    game.event({ t: 'event', game: game.id, seq: 5, at: NOW, kind: 'takeback-offer', by: 'white' });
    expect(game.offers.takeback).toBe('white');
    const clock = { white: 299_000, black: 298_000, running: 'white' } as const;
    game.event({ t: 'event', game: game.id, seq: 6, at: NOW, kind: 'takeback', ply: 2, clock });
    expect(game.moves).toEqual(['e2e4', 'e7e5']);
    expect([game.offers.takeback, game.cursor, game.timeLeft('black')]).toEqual([null, null, 298_000]);
    play(game, 'd2d4');
    expect(line.sent.at(-1)).toMatchObject({ ply: 2, before: ['e2e4', 'e7e5'] });
  });

  it("of a move declines the other's draw and not one's own", () => {
    const game = open(['e2e4']);
    game.event({ t: 'event', game: game.id, seq: 3, at: NOW, kind: 'draw-offer', by: 'black' });
    moved(game, 'e7e5', 'black');
    expect(game.offers.draw).toBe('black');
    play(game, 'g1f3');
    moved(game, 'g1f3', 'white');
    expect(game.offers.draw).toBeNull();
  });

  it('of the end is the end, with what it did to the ratings', () => {
    const rated = { ...player, user: 'ann', rating: 1500 };
    const game = open(['e2e4', 'e7e5'], { white: rated, black: rated });
    game.setPremove(null);
    const end = { status: 'ended', winner: 'white', reason: 'timeout', ratingDiffs: [6, -6] } as const;
    game.event({ t: 'event', game: game.id, seq: 4, at: NOW, kind: 'end', by: null, end: { ...end, ratingDiffs: [6, -6] } });
    expect(game.outcome).toMatchObject({ winner: 'white', reason: 'timeout' });
    expect([game.players.white.ratingDiff, game.players.black.ratingDiff]).toEqual([6, -6]);
    expect(game.legal).toEqual([]);
  });

  it('of who is there tells since when the opponent is away', () => {
    const game = open([]);
    game.presence({ t: 'presence', game: game.id, white: true, black: false, spectators: 2, left: { white: null, black: NOW - 5 } });
    expect(game.opponentLeftAt).toBe(NOW - 5);
    game.presence({ t: 'presence', game: game.id, white: true, black: true, spectators: 2, left: { white: null, black: null } });
    expect(game.opponentLeftAt).toBeNull();
  });
});

describe('special moves taken back', () => {
  it.each([
    ['pocketmutation', 'h1^Q'],
    ['teleport', 'a1b1'],
  ])('%s: the position is as it was', (variant, uci) => {
    const game = open([], { variant });
    const before = game.view.fen;
    const move = game.view.legal.find((m) => m.uci === uci) ?? find(game.view.legal, game.view.legal[0]?.uci ?? '');
    game.play(move);
    moved(game, move.uci, 'white');
    expect(game.view.fen).not.toBe(before);
    game.event({ t: 'event', game: game.id, seq: 3, at: NOW, kind: 'takeback', ply: 0 });
    expect(game.view.fen).toBe(before);
  });
});
