/**
 * The one connection to the server. It comes back by itself, tells the server what was seen, and sends an unanswered move
 * again only where it still belongs (`pending.ts`). It knows no page and no browser: those are given as an `Env`.
 */
import type {
  Ack,
  ActionName,
  ChatLine,
  GameEvent,
  Joined,
  LobbyMessage,
  PlayerMessage,
  Presence,
  Refused,
  Room,
  Told,
  Welcome,
} from './messages';
import { fateOf, newId, type PendingMove } from './pending';

export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface Env {
  open(): Socket;
  /** Milliseconds that only go forwards. */
  now(): number;
  /** Calls after so many milliseconds, unless the returned function is called before. */
  after(millis: number, call: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
}

export type LinkState = 'idle' | 'connecting' | 'open' | 'waiting';

/** Who follows a game. */
export interface Follower {
  readonly game: string;
  /** The last event it has, 0 for none. */
  readonly seen: number;
  /** The last line of chat it has. */
  readonly said: number;
  joined(message: Joined): void;
  event(event: GameEvent): void;
  chat(line: ChatLine): void;
  presence(presence: Presence): void;
  /** A move of ours was stored, or was found to be. */
  acked(move: PendingMove, ack: Ack | null): void;
  /** A move of ours is not played. */
  refused(move: PendingMove, why: Refused | null): void;
  /** The game cannot be followed. */
  failed(why: Refused): void;
}

export class ActionRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ActionRefused';
  }
}

interface Asked {
  resolve: (ack: Ack) => void;
  reject: (error: ActionRefused) => void;
}

const PING = 5000;
/** Without a word for so long the line is dead, whatever the browser says. */
const SILENCE = 12_000;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
/** After having been thrown out for sending too much. */
const PENALTY = 5000;
/** How long an answer may take before the game is asked for anew. */
const PATIENCE = 8000;

export class Connection {
  state: LinkState = 'idle';
  /** There and back, in milliseconds, as measured last. */
  lag: number | null = null;
  you: Welcome['you'] | null = null;
  /** Called when any of these has changed. */
  onchange: () => void = () => undefined;

  readonly #env: Env;
  #socket: Socket | null = null;
  #followers = new Map<string, Follower>();
  #lobby: ((message: LobbyMessage) => void) | null = null;
  #player = new Set<(message: PlayerMessage | Welcome) => void>();
  #moves = new Map<string, PendingMove>();
  #asked = new Map<string, Asked>();
  #attempt = 0;
  #cancelRetry: (() => void) | null = null;
  #cancelPing: (() => void) | null = null;
  #heardAt = 0;
  #pings = new Map<number, number>();
  #n = 0;
  /** Server's time less ours, from the answer that took least. */
  #offset = 0;
  #offsetLag = Infinity;

  constructor(env: Env) {
    this.#env = env;
  }

  get open(): boolean {
    return this.state === 'open';
  }

  /** What time it is on the server, in milliseconds since 1970. */
  serverNow(): number {
    return this.#env.now() + this.#offset;
  }

  start(): void {
    if (this.state === 'idle') this.#connect();
  }

  stop(): void {
    this.#cancelRetry?.();
    this.#drop();
    this.#set('idle');
  }

  /** The browser says that there is a network again, or the page is looked at again: no reason to wait any longer. */
  wake(): void {
    if (this.state === 'waiting') {
      this.#cancelRetry?.();
      this.#connect();
    } else if (this.state === 'open') {
      this.#ping();
    }
  }

  /** The browser says that there is no network. */
  lost(): void {
    if (this.state === 'open' || this.state === 'connecting') this.#closed(1006);
  }

  follow(follower: Follower): () => void {
    this.#followers.set(follower.game, follower);
    if (this.open) this.#join(follower);
    return () => {
      if (this.#followers.get(follower.game) !== follower) return;
      this.#followers.delete(follower.game);
      for (const move of [...this.#moves.values()]) if (move.game === follower.game) this.#moves.delete(move.id);
      this.#send({ t: 'leave', game: follower.game });
    };
  }

  /** Asks how the game stands, as after an answer that does not fit what is shown. */
  refresh(game: string): void {
    const follower = this.#followers.get(game);
    if (follower && this.open) this.#join(follower);
  }

  watchLobby(handler: (message: LobbyMessage) => void): () => void {
    this.#lobby = handler;
    this.#send({ t: 'lobby' });
    return () => {
      if (this.#lobby !== handler) return;
      this.#lobby = null;
      this.#send({ t: 'leave-lobby' });
    };
  }

  onPlayer(handler: (message: PlayerMessage | Welcome) => void): () => void {
    this.#player.add(handler);
    return () => this.#player.delete(handler);
  }

  move(game: string, ply: number, uci: string, before: readonly string[]): PendingMove {
    const move: PendingMove = { game, id: newId(), ply, uci, before };
    this.#moves.set(move.id, move);
    this.#sendMove(move);
    return move;
  }

  /** Does something else in a game. It is not tried again: what was meant then may not be meant later. */
  act(game: string, action: ActionName): Promise<Ack> {
    return this.#ask({ t: 'do', game, action });
  }

  say(game: string, room: Room, text: string): Promise<Ack> {
    return this.#ask({ t: 'chat', game, room, text });
  }

  #ask(message: Record<string, unknown>): Promise<Ack> {
    if (!this.open) return Promise.reject(new ActionRefused('offline', 'there is no connection'));
    const id = newId();
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#send({ ...message, id });
    });
  }

  #connect(): void {
    this.#set('connecting');
    this.#heardAt = this.#env.now();
    let socket: Socket;
    try {
      socket = this.#env.open();
    } catch {
      this.#closed(1006);
      return;
    }
    this.#socket = socket;
    socket.onmessage = (event) => {
      if (socket === this.#socket && typeof event.data === 'string') this.#heard(event.data);
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#closed(event.code);
    };
    this.#watch();
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#cancelPing?.();
    this.#pings.clear();
    if (socket) {
      socket.onmessage = socket.onclose = socket.onopen = null;
      socket.close();
    }
    const asked = [...this.#asked.values()];
    this.#asked.clear();
    for (const one of asked) one.reject(new ActionRefused('offline', 'the connection was lost'));
  }

  #closed(code: number): void {
    this.#drop();
    const wait = Math.min(FIRST_WAIT * 2 ** this.#attempt, LONGEST_WAIT);
    this.#attempt++;
    // Not all come back at once.
    const jitter = 0.7 + 0.6 * this.#env.random();
    this.#cancelRetry = this.#env.after((code === 1008 ? Math.max(wait, PENALTY) : wait) * jitter, () => this.#connect());
    this.lag = null;
    this.#set('waiting');
  }

  /** Pings, and gives up a line on which nothing is heard. */
  #watch(): void {
    this.#cancelPing = this.#env.after(PING, () => {
      if (this.#env.now() - this.#heardAt > SILENCE) {
        this.#closed(1006);
        return;
      }
      if (this.open) this.#ping();
      this.#watch();
    });
  }

  #ping(): void {
    const n = ++this.#n;
    this.#pings.set(n, this.#env.now());
    this.#send({ t: 'ping', n });
  }

  #join(follower: Follower): void {
    const { game, seen, said } = follower;
    this.#send({ t: 'join', game, ...(seen > 0 ? { seen } : {}), ...(said > 0 ? { said } : {}) });
  }

  #sendMove({ game, ply, uci, id }: PendingMove): void {
    this.#send({ t: 'move', game, ply, uci, id });
    if (!this.open) return;
    this.#env.after(PATIENCE, () => {
      if (this.#moves.has(id)) this.refresh(game);
    });
  }

  #send(message: Record<string, unknown>): void {
    if (this.open) this.#socket?.send(JSON.stringify(message));
  }

  #set(state: LinkState): void {
    this.state = state;
    this.onchange();
  }

  #heard(text: string): void {
    this.#heardAt = this.#env.now();
    let message: Told;
    try {
      message = JSON.parse(text) as Told;
    } catch {
      return;
    }
    switch (message.t) {
      case 'welcome':
        this.#welcome(message);
        break;
      case 'pong':
        this.#pong(message.n, message.now);
        break;
      case 'joined': {
        const follower = this.#followers.get(message.game);
        follower?.joined(message);
        if (follower) this.#settle(follower, message);
        break;
      }
      case 'event':
        this.#followers.get(message.game)?.event(message);
        break;
      case 'chat':
        this.#followers.get(message.game)?.chat(message);
        break;
      case 'presence':
        this.#followers.get(message.game)?.presence(message);
        break;
      case 'ack':
        this.#answered(message);
        break;
      case 'refused':
        this.#answered(message);
        break;
      case 'lobby':
      case 'lobby-add':
      case 'lobby-remove':
        this.#lobby?.(message);
        break;
      case 'challenge':
      case 'challenge-accepted':
      case 'challenge-declined':
      case 'challenge-canceled':
      case 'game-start':
      case 'game-end':
        for (const handler of this.#player) handler(message);
        break;
      default:
        // What is not known is left alone: more may be added.
        break;
    }
  }

  #welcome(message: Welcome): void {
    this.you = message.you;
    this.#attempt = 0;
    // Good until the first ping is back: late by what the message took.
    this.#offset = message.now - this.#env.now();
    this.#offsetLag = Infinity;
    this.#set('open');
    for (const follower of this.#followers.values()) this.#join(follower);
    if (this.#lobby) this.#send({ t: 'lobby' });
    for (const handler of this.#player) handler(message);
    this.#ping();
  }

  #pong(n: number | null, now: number): void {
    const sent = n === null ? undefined : this.#pings.get(n);
    if (n === null || sent === undefined) return;
    this.#pings.delete(n);
    const here = this.#env.now();
    const lag = here - sent;
    // The shortest way tells the time best; older answers count for less since clocks drift.
    if (lag <= this.#offsetLag * 1.2) {
      this.#offset = now + lag / 2 - here;
      this.#offsetLag = lag;
    } else {
      this.#offsetLag *= 1.1;
    }
    this.lag = Math.round(lag);
    this.onchange();
  }

  /** The game as it is now tells what became of the moves that were not answered. */
  #settle(follower: Follower, { state }: Joined): void {
    for (const move of [...this.#moves.values()]) {
      if (move.game !== follower.game) continue;
      const fate = fateOf(move, state);
      if (fate === 'again') {
        this.#sendMove(move);
        continue;
      }
      this.#moves.delete(move.id);
      if (fate === 'played') follower.acked(move, null);
      else follower.refused(move, null);
    }
  }

  #answered(message: Ack | Refused): void {
    const move = message.id === null ? undefined : this.#moves.get(message.id);
    if (move) {
      this.#moves.delete(move.id);
      const follower = this.#followers.get(move.game);
      if (message.t === 'ack') follower?.acked(move, message);
      else follower?.refused(move, message);
      return;
    }
    const asked = message.id === null ? undefined : this.#asked.get(message.id);
    if (asked && message.id !== null) {
      this.#asked.delete(message.id);
      if (message.t === 'ack') asked.resolve(message);
      else asked.reject(new ActionRefused(message.code, message.error));
    } else if (message.t === 'refused' && message.id === null) {
      this.#followers.get(message.game)?.failed(message);
    }
  }
}
