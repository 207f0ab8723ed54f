/** What the server keeps of games: the archive, the opening explorer, imports, analyses. The forms are those of docs/api.md. */
import type { Color } from './types';

export interface GamePlayer {
  user?: { id: string; name: string };
  /** Of players without an account, as in imported games. */
  name?: string;
  aiLevel?: number;
  rating?: number | null;
  ratingDiff?: number | null;
}

export interface ArchivedGame {
  id: string;
  variant: string;
  rated: boolean;
  speed: string;
  createdAt: number;
  status: string;
  source: string;
  players: Record<Color, GamePlayer>;
  winner?: Color | null;
  clock?: { initial: number; increment: number } | null;
  plies: number;
  lastFen?: string;
  opening: string[];
}

export interface ArchivePage {
  games: ArchivedGame[];
  cursor: string | null;
}

export interface ExplorerMove {
  uci: string;
  san: string;
  white: number;
  draws: number;
  black: number;
  averageRating: number | null;
}

export interface ExplorerGame {
  id: string;
  uci: string;
  winner: Color | null;
  speed: string;
  mode: string;
  white: { name: string; rating: number | null };
  black: { name: string; rating: number | null };
  month: string;
}

export interface Explored {
  fen: string;
  white: number;
  draws: number;
  black: number;
  averageRating: number | null;
  moves: ExplorerMove[];
  recentGames: ExplorerGame[];
  topGames: ExplorerGame[];
}

export interface ReviewEval {
  cp?: number;
  mate?: number;
}

export type JudgmentName = 'Inaccuracy' | 'Mistake' | 'Blunder';

export interface ReviewPly {
  ply: number;
  move?: string;
  eval: ReviewEval | null;
  best?: string | null;
  variation?: string[];
  judgment?: { name: JudgmentName; best?: string; bestSan?: string };
}

export interface ReviewSide {
  inaccuracy: number;
  mistake: number;
  blunder: number;
  acpl: number | null;
}

export interface Review {
  game: string;
  state: 'none' | 'queued' | 'running' | 'done' | 'failed';
  done: number;
  total: number;
  error: string | null;
  plies: ReviewPly[];
  white: ReviewSide | null;
  black: ReviewSide | null;
}

/** The server said no, or nothing. */
export class ServerRefusal extends Error {
  constructor(
    message: string,
    /** 0 when it could not be reached. */
    readonly status: number,
    readonly code: string | null,
    readonly field: string | null,
  ) {
    super(message);
    this.name = 'ServerRefusal';
  }
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ServerRefusal(String(error), 0, null, null);
  }
  if (response.ok) return response;
  const said = (await response.json().catch(() => null)) as { error?: string; code?: string; field?: string } | null;
  throw new ServerRefusal(said?.error ?? response.statusText, response.status, said?.code ?? null, said?.field ?? null);
}

async function askJson<T>(path: string, init?: RequestInit): Promise<T> {
  const headers = { accept: 'application/json', ...init?.headers };
  return (await (await ask(path, { ...init, headers })).json()) as T;
}

/** The archive has the forms of Lichess, where the orthodox game has another name than its page here. */
export function ownNames(page: ArchivePage): ArchivePage {
  return { ...page, games: page.games.map((game) => ({ ...game, variant: game.variant === 'standard' ? 'chess' : game.variant })) };
}

export async function searchGames(query: URLSearchParams, signal?: AbortSignal): Promise<ArchivePage> {
  return ownNames(await askJson<ArchivePage>(`/api/archive?${query}`, signal ? { signal } : {}));
}

export type ExportFormat = 'pgn' | 'json' | 'ndjson';

export function exportPath(query: URLSearchParams, format: ExportFormat): string {
  const all = new URLSearchParams(query);
  all.delete('cursor');
  all.delete('max');
  all.set('format', format);
  return `/api/archive/export?${all}`;
}

export function explore(variant: string, query: URLSearchParams, signal?: AbortSignal): Promise<Explored> {
  return askJson(`/api/explorer/${encodeURIComponent(variant)}?${query}`, signal ? { signal } : {});
}

/** Games that were taken in, one for each of the text. */
export async function importPgn(text: string): Promise<{ id: string; url: string }[]> {
  const headers = { 'content-type': 'application/x-chess-pgn', accept: 'application/x-ndjson, application/json' };
  const response = await ask('/api/import', { method: 'POST', body: text, headers });
  const lines = (await response.text()).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as { id: string; url: string });
}

/** What the account of this browser brought, newest first. */
export async function imports(max: number): Promise<ArchivePage> {
  return ownNames(await askJson<ArchivePage>(`/api/import?max=${max}`));
}

export async function gamePgn(id: string): Promise<string> {
  const path = `/game/export/${encodeURIComponent(id)}?clocks=false&evals=false`;
  return (await ask(path, { headers: { accept: 'application/x-chess-pgn' } })).text();
}

const reviewPath = (id: string) => `/api/games/${encodeURIComponent(id)}/analysis`;

export function review(id: string): Promise<Review> {
  return askJson(reviewPath(id));
}

export function askForReview(id: string): Promise<Review> {
  return askJson(reviewPath(id), { method: 'POST' });
}
