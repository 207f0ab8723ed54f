/** What the server tells and takes by HTTP. Its own description is /openapi.json. */
import type { Color } from './types';

export type Control = { kind: 'live'; limit: number; increment: number } | { kind: 'days'; days: number } | { kind: 'unlimited' };
export type Speed = 'ultraBullet' | 'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence';
export const SPEEDS: Speed[] = ['ultraBullet', 'bullet', 'blitz', 'rapid', 'classical', 'correspondence'];

/** Who asks. `id` is the account, null without one. */
export interface Who {
  id: string | null;
  username: string;
  bot: boolean;
}

export interface PlayerInfo {
  name: string;
  user: string | null;
  level: number | null;
  rating: number | null;
  provisional: boolean;
  ratingDiff: number | null;
}

/** What both clocks show, in milliseconds, and whose runs. */
export interface Clocks {
  white: number;
  black: number;
  running: Color | null;
}

export interface End {
  status: 'ended' | 'aborted';
  winner: Color | null;
  reason: string;
  ratingDiffs?: [number, number];
}

export interface GameState {
  id: string;
  variant: string;
  initialFen: string | null;
  moves: string[];
  ply: number;
  turn: Color;
  /** Number of the last event that is in it. */
  seq: number;
  status: 'started' | 'aborted' | 'ended';
  end: End | null;
  rated: boolean;
  speed: Speed;
  control: Control;
  white: PlayerInfo;
  black: PlayerInfo;
  you: Color | null;
  clock: Clocks | null;
  /** How long a player may be away before the opponent may claim the game, in milliseconds. */
  patience: number | null;
  deadlineAt: number | null;
  drawOffer: Color | null;
  takebackOffer: Color | null;
  rematchOffer: Color | null;
  rematch: string | null;
  rematchOf: string | null;
  createdAt: number;
  lastMoveAt: number | null;
  now: number;
}

export interface Challenge {
  id: string;
  kind: 'open' | 'link' | 'user';
  status: 'open' | 'accepted' | 'declined' | 'canceled' | 'expired';
  variant: string;
  fen: string | null;
  control: Control;
  speed: Speed;
  color: Color | 'random';
  rated: boolean;
  minRating: number | null;
  maxRating: number | null;
  by: { name: string; user: string | null; rating: number | null; provisional: boolean };
  to: string | null;
  reason: string | null;
  game: string | null;
  createdAt: number;
  expiresAt: number;
}

export type Opponent =
  | { kind: 'lobby' }
  | { kind: 'link' }
  | { kind: 'user'; name: string }
  | { kind: 'computer'; level: number };

export interface Wish {
  variant: string;
  fen?: string | null;
  control: Control;
  color: Color | 'random';
  rated: boolean;
  opponent: Opponent;
  minRating?: number | null;
  maxRating?: number | null;
}

export type Made = { challenge: Challenge } | { game: string };

export interface Perf {
  games: number;
  rating: number;
  rd: number;
  prog: number;
  prov?: boolean;
}

export interface Profile {
  id: string;
  username: string;
  title?: string;
  perfs: Record<string, Perf>;
  createdAt: number;
  seenAt: number;
  tosViolation?: boolean;
  count?: { all: number; rated: number; draw: number; loss: number; win: number; playing: number };
}

export interface RatingHistory {
  name: string;
  key: string;
  /** Year, month from 0, day, rating. */
  points: [number, number, number, number][];
}

export interface Leader {
  id: string;
  username: string;
  perfs: Record<string, Perf>;
}

/** A game in a list of somebody's games. */
export interface ListedGame {
  id: string;
  rated: boolean;
  perf: string;
  speed: Speed;
  createdAt: number;
  lastMoveAt: number;
  status: string;
  winner?: Color;
  players: Record<Color, { user?: { id: string; name: string }; name?: string; aiLevel?: number; rating?: number; ratingDiff?: number }>;
}

export interface Token {
  id: string;
  description: string;
  scopes: string[];
  createdAt: number;
  usedAt: number | null;
  expiresAt: number | null;
  /** The token itself, told once. */
  token?: string;
}

export const SCOPES = ['preference:read', 'challenge:read', 'challenge:write', 'board:play', 'bot:play', 'account:manage'] as const;

/** What the server refused, and which field was at fault. `code` is `offline` when it could not be reached. */
export class ServerError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly field: string | null = null,
  ) {
    super(message);
    this.name = 'ServerError';
  }
}

export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

/**
 * Asks by the browser's cookie. The server takes no request of another site's page for its own (it looks at `Origin`,
 * which browsers add by themselves), so no token has to go with it.
 */
export class ServerApi {
  readonly #fetch: Fetch;

  constructor(fetcher: Fetch = (path, init) => fetch(path, init)) {
    this.#fetch = fetcher;
  }

  session = (): Promise<Who> => this.#ask('GET', '/api/session');
  register = (username: string, password: string): Promise<Who> => this.#ask('POST', '/api/register', { username, password });
  login = (username: string, password: string): Promise<Who> => this.#ask('POST', '/api/login', { username, password });
  logout = (): Promise<void> => this.#ask('POST', '/api/logout');
  changePassword = (password: string, newPassword: string): Promise<void> =>
    this.#ask('POST', '/api/account/password', { password, newPassword });
  deleteAccount = (password: string): Promise<void> => this.#ask('POST', '/api/account/delete', { password });
  exportAccount = (): Promise<unknown> => this.#ask('GET', '/api/account/export');

  tokens = (): Promise<Token[]> => this.#ask('GET', '/api/tokens');
  createToken = (description: string, scopes: string[]): Promise<Token> =>
    this.#ask('POST', '/api/tokens', { description, scopes: scopes.join(',') });
  deleteToken = (id: string): Promise<void> => this.#ask('DELETE', `/api/tokens/${encodeURIComponent(id)}`);

  challenges = (): Promise<Challenge[]> => this.#ask('GET', '/api/challenges');
  challenge = (id: string): Promise<Challenge> => this.#ask('GET', `/api/challenges/${encodeURIComponent(id)}`);
  makeChallenge = (wish: Wish): Promise<Made> => this.#ask('POST', '/api/challenges', wish);
  accept = (id: string): Promise<{ game: string }> => this.#ask('POST', `/api/challenges/${encodeURIComponent(id)}/accept`);
  decline = (id: string): Promise<void> => this.#ask('POST', `/api/challenges/${encodeURIComponent(id)}/decline`, {});
  cancel = (id: string): Promise<void> => this.#ask('POST', `/api/challenges/${encodeURIComponent(id)}/cancel`);

  playing = (): Promise<GameState[]> => this.#ask('GET', '/api/games/playing');
  live = (): Promise<GameState[]> => this.#ask('GET', '/api/games/live');
  game = (id: string): Promise<GameState> => this.#ask('GET', `/api/games/${encodeURIComponent(id)}`);

  profile = (name: string): Promise<Profile> => this.#ask('GET', `/api/user/${encodeURIComponent(name)}`);
  history = (name: string): Promise<RatingHistory[]> => this.#ask('GET', `/api/user/${encodeURIComponent(name)}/rating-history`);
  leaders = async (perf: string, count = 50): Promise<Leader[]> =>
    (await this.#ask<{ users: Leader[] }>('GET', `/api/player/top/${count}/${encodeURIComponent(perf)}`)).users;

  /** Somebody's games, the latest first, begun at `until` or earlier. */
  async games(name: string, { max, until }: { max: number; until?: number | null }): Promise<ListedGame[]> {
    const query = new URLSearchParams({ max: String(max), moves: 'false', ongoing: 'true' });
    if (until) query.set('until', String(until));
    const text = await this.#text('GET', `/api/games/user/${encodeURIComponent(name)}?${query}`, undefined, 'application/x-ndjson');
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as ListedGame);
  }

  async #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = await this.#text(method, path, body, 'application/json');
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async #text(method: string, path: string, body: unknown, accept: string): Promise<string> {
    const headers: Record<string, string> = { accept };
    if (body !== undefined) headers['content-type'] = 'application/json';
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(path, {
        method,
        headers,
        credentials: 'same-origin',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      throw new ServerError(error instanceof Error ? error.message : String(error), 'offline', 0);
    }
    if (response.ok) return text;
    throw refusal(response.status, text);
  }
}

/** A refusal as the server words it, or by its status when something between has answered. */
function refusal(status: number, text: string): ServerError {
  try {
    const told = JSON.parse(text) as { error?: unknown; code?: unknown; field?: unknown };
    if (typeof told.error === 'string' && typeof told.code === 'string') {
      return new ServerError(told.error, told.code, status, typeof told.field === 'string' ? told.field : null);
    }
  } catch {
    // No JSON: a proxy's page.
  }
  return new ServerError(`HTTP ${status}`, status >= 502 && status <= 504 ? 'offline' : 'http', status);
}

export const server = new ServerApi();
