import { beforeEach, describe, expect, it } from 'vitest';
import type { GameState } from '../../src/lib/api/server';
import { Connection, type Env, type Follower, type Socket } from '../../src/lib/net/connection';
import type { ChatLine, GameEvent, Joined, LobbyMessage } from '../../src/lib/net/messages';
import { fateOf, type PendingMove } from '../../src/lib/net/pending';

/** A network of which the test says what it does, and a clock that stands. */
class World implements Env {
  time = 1000;
  sockets: Line[] = [];
  timers: { at: number; call: () => void }[] = [];

  open(): Socket {
    const line = new Line();
    this.sockets.push(line);
    return line;
  }
  now = () => this.time;
  random = () => 0.5;
  after = (millis: number, call: () => void) => {
    const timer = { at: this.time + millis, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((t) => t !== timer);
    };
  };
  pass(millis: number): void {
    const end = this.time + millis;
    for (;;) {
      const due = this.timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.timers = this.timers.filter((t) => t !== due);
      this.time = Math.max(this.time, due.at);
      due.call();
    }
    this.time = end;
  }
  get line(): Line {
    const line = this.sockets.at(-1);
    if (!line) throw new Error('no connection was opened');
    return line;
  }
  /** The server answers. */
  welcome(now = 500_000): void {
    this.line.tell({ t: 'welcome', protocol: 1, now, you: { name: 'Anonymous', user: null } });
  }
}

class Line implements Socket {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  send = (text: string) => void this.sent.push(JSON.parse(text) as Record<string, unknown>);
  close = () => {
    this.closed = true;
  };
  tell(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  of(t: string): Record<string, unknown>[] {
    return this.sent.filter((m) => m.t === t);
  }
}

class Watcher implements Follower {
  game = 'game0001';
  seen = 0;
  said = 0;
  log: string[] = [];
  joined = (m: Joined) => {
    this.seen = m.state.seq;
    this.log.push(`joined ${m.state.moves.join(' ')}`.trim());
  };
  event = (e: GameEvent) => {
    this.seen = e.seq;
    this.log.push(`event ${e.seq}`);
  };
  chat = (line: ChatLine) => void (this.said = line.seq);
  presence = () => undefined;
  acked: Follower['acked'] = (move, ack) => void this.log.push(`acked ${move.uci}${ack ? '' : ' (seen)'}`);
  refused: Follower['refused'] = (move, why) => void this.log.push(`refused ${move.uci} ${why?.code ?? 'dropped'}`);
  failed = () => undefined;
}

const state = (moves: string[], more: Partial<GameState> = {}) =>
  ({ id: 'game0001', moves, ply: moves.length, seq: moves.length + 1, status: 'started', ...more }) as GameState;
const joined = (moves: string[], more: Partial<GameState> = {}) => ({
  t: 'joined',
  game: 'game0001',
  seq: moves.length + 1,
  room: 'players',
  now: 0,
  state: state(moves, more),
});

let world: World;
let connection: Connection;
let watcher: Watcher;

beforeEach(() => {
  world = new World();
  connection = new Connection(world);
  watcher = new Watcher();
  connection.follow(watcher);
  connection.start();
  world.welcome();
  world.line.tell(joined([]));
  watcher.log = [];
});

/** The line is cut, and the connection comes back. */
function comeBack(moves: string[], more: Partial<GameState> = {}): void {
  world.line.onclose?.({ code: 1006 });
  expect(connection.state).toBe('waiting');
  world.pass(1000);
  world.welcome();
  world.line.tell(joined(moves, more));
}

describe('coming back', () => {
  it('tells what was seen', () => {
    world.line.tell({ t: 'event', game: 'game0001', seq: 2, at: 0, kind: 'move' });
    world.line.tell({ t: 'chat', game: 'game0001', seq: 4, text: 'hi' });
    world.line.onclose?.({ code: 1006 });
    world.pass(1000);
    world.welcome();
    expect(world.line.of('join')).toEqual([{ t: 'join', game: 'game0001', seen: 2, said: 4 }]);
  });

  it('waits longer after each attempt that fails, and not for ever', () => {
    const waits: number[] = [];
    world.line.onclose?.({ code: 1006 });
    for (let i = 0; i < 9; i++) {
      const before = world.sockets.length;
      const since = world.time;
      while (world.sockets.length === before) world.pass(100);
      waits.push(world.time - since);
      world.line.onclose?.({ code: 1006 });
    }
    expect(waits.slice(0, 4)).toEqual([400, 800, 1600, 3200]);
    expect(Math.max(...waits)).toBe(15_000);
  });

  it('does not wait when the browser says that there is a network again', () => {
    world.line.onclose?.({ code: 1006 });
    connection.wake();
    expect(world.sockets).toHaveLength(2);
  });

  it('gives up a line on which nothing is heard', () => {
    const dead = world.line;
    world.pass(20_000);
    expect(dead.closed).toBe(true);
    expect(connection.state).not.toBe('open');
  });

  it('asks for the lobby again', () => {
    const told: LobbyMessage[] = [];
    connection.watchLobby((m) => void told.push(m));
    world.line.onclose?.({ code: 1012 });
    world.pass(1000);
    world.welcome();
    expect(world.line.of('lobby')).toHaveLength(1);
    world.line.tell({ t: 'lobby', challenges: [] });
    expect(told).toHaveLength(1);
  });
});

describe('an unanswered move', () => {
  it('is sent again under its name to the position it was made in', () => {
    const move = connection.move('game0001', 0, 'e2e4', []);
    comeBack([]);
    expect(world.line.of('move')).toEqual([{ t: 'move', game: 'game0001', ply: 0, uci: 'e2e4', id: move.id }]);
    world.line.tell({ t: 'ack', game: 'game0001', id: move.id, seq: 2, ply: 1 });
    expect(watcher.log.at(-1)).toBe('acked e2e4');
    comeBack(['e2e4']);
    expect(world.line.of('move')).toEqual([]);
  });

  it('counts as played when the game has it', () => {
    connection.move('game0001', 0, 'e2e4', []);
    comeBack(['e2e4', 'e7e5']);
    expect(world.line.of('move')).toEqual([]);
    expect(watcher.log.at(-1)).toBe('acked e2e4 (seen)');
  });

  it('is not sent when the ply has passed', () => {
    connection.move('game0001', 0, 'e2e4', []);
    comeBack(['d2d4']);
    expect(world.line.of('move')).toEqual([]);
    expect(watcher.log.at(-1)).toBe('refused e2e4 dropped');
  });

  it('is not sent when the same ply is another position', () => {
    connection.move('game0001', 2, 'g1f3', ['e2e4', 'e7e5']);
    comeBack(['d2d4', 'd7d5']);
    expect(world.line.of('move')).toEqual([]);
    expect(watcher.log.at(-1)).toBe('refused g1f3 dropped');
  });

  it('is not sent when the game is over', () => {
    connection.move('game0001', 0, 'e2e4', []);
    comeBack([], { status: 'ended' });
    expect(world.line.of('move')).toEqual([]);
  });

  it('is not sent after its game has been left', () => {
    const leave = connection.follow(watcher);
    connection.move('game0001', 0, 'e2e4', []);
    leave();
    world.line.onclose?.({ code: 1006 });
    world.pass(1000);
    world.welcome();
    expect(world.line.of('move')).toEqual([]);
  });

  it('has the game asked for when no answer comes', () => {
    connection.move('game0001', 0, 'e2e4', []);
    world.pass(4000);
    world.line.tell({ t: 'pong', n: 1, now: 0, lag: 0 });
    world.pass(4100);
    expect(world.line.of('join')).toHaveLength(2);
  });

  it('is refused with the reason', () => {
    const move = connection.move('game0001', 0, 'e2e5', []);
    world.line.tell({ t: 'refused', game: 'game0001', id: move.id, code: 'illegal-move', error: 'no' });
    expect(watcher.log).toEqual(['refused e2e5 illegal-move']);
  });
});

describe('what becomes of a move', () => {
  const move = (before: string[], uci: string): PendingMove => ({ game: 'g', id: 'x', ply: before.length, uci, before });
  const fates: [PendingMove, string[], string][] = [
    [move([], 'a'), [], 'again'],
    [move(['a'], 'b'), ['a'], 'again'],
    [move(['a'], 'b'), ['a', 'b'], 'played'],
    [move(['a'], 'b'), ['a', 'b', 'c'], 'played'],
    [move(['a'], 'b'), [], 'dropped'],
    [move(['a'], 'b'), ['x'], 'dropped'],
    [move(['a'], 'b'), ['x', 'b'], 'dropped'],
    [move(['a'], 'b'), ['a', 'x'], 'dropped'],
  ];
  it.each(fates)('%o in %o: %s', (one, moves, fate) => {
    expect(fateOf(one, { moves, status: 'started' })).toBe(fate);
  });
});

describe('everything else', () => {
  it('is refused while there is no connection, and not tried later', async () => {
    world.line.onclose?.({ code: 1006 });
    await expect(connection.act('game0001', 'resign')).rejects.toMatchObject({ code: 'offline' });
    world.pass(1000);
    world.welcome();
    expect(world.line.of('do')).toEqual([]);
  });

  it('fails when the connection is lost before the answer', async () => {
    const asked = connection.act('game0001', 'draw-offer');
    world.line.onclose?.({ code: 1006 });
    await expect(asked).rejects.toMatchObject({ code: 'offline' });
  });

  it('is answered under its name', async () => {
    const asked = connection.act('game0001', 'resign');
    const { id } = world.line.of('do')[0] ?? {};
    world.line.tell({ t: 'refused', game: 'game0001', id, code: 'abort-instead', error: 'call it off' });
    await expect(asked).rejects.toMatchObject({ code: 'abort-instead', message: 'call it off' });
  });

  it('that is not known is left alone', () => {
    world.line.tell({ t: 'news', text: '?' });
    world.line.onmessage?.({ data: 'no JSON' });
    expect(connection.open).toBe(true);
  });
});

describe("the server's clock", () => {
  it('is reckoned from the ping that took least', () => {
    const ping = world.line.of('ping')[0];
    world.time += 100;
    world.line.tell({ t: 'pong', n: ping?.n, now: 700_000, lag: 100 });
    expect(connection.lag).toBe(100);
    expect(connection.serverNow()).toBe(700_050);
    // A slow answer tells the lag, and the time worse than is known.
    world.pass(4900);
    const second = world.line.of('ping')[1];
    world.time += 900;
    world.line.tell({ t: 'pong', n: second?.n, now: 1, lag: 900 });
    expect(connection.lag).toBe(900);
    expect(connection.serverNow()).toBe(700_050 + 5800);
  });
});
