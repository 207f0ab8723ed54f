/** Moves that have been sent and not been answered. */
import type { GameState } from '../api/server';

export interface PendingMove {
  game: string;
  /** The client's own name for it: sent again under it, it is played once. */
  id: string;
  /** How many plies were played before it. */
  ply: number;
  uci: string;
  /** Those plies: the same number of others is another position. */
  before: readonly string[];
}

export type Fate = 'played' | 'again' | 'dropped';

/**
 * What becomes of an unanswered move when the connection is back. It is sent again only to the very position that it was
 * made in: after a takeback the same ply may be another one.
 */
export function fateOf(move: PendingMove, state: Pick<GameState, 'moves' | 'status'>): Fate {
  const same = move.before.length === move.ply && move.before.every((uci, i) => state.moves[i] === uci);
  if (!same) return 'dropped';
  if (state.moves[move.ply] === move.uci) return 'played';
  return state.moves.length === move.ply && state.status === 'started' ? 'again' : 'dropped';
}

/** A name for a move, which no other move of this browser has. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (b) => b.toString(36).padStart(2, '0')).join('');
}
