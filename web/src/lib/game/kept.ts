/** A game against the computer as its page keeps it. Pure: where it is kept is for `ui/entry.ts` to know. */
import type { Color, Outcome, OutcomeReason } from '../api/types';
import { LEVELS } from '../router';

/** Changes when what is kept changes its form. */
export const KEPT_GAME = 1;
/** Longer games are not kept: no browser promises to. */
const MOST_PLIES = 2000;

export interface KeptGame {
  variant: string;
  fen: string | null;
  moves: string[];
  human: Color;
  level: number;
  /** How it was ended by the person; ends by the rules follow from the moves. */
  decided: Outcome | null;
  flipped: boolean;
}

export function writeGame(game: KeptGame): KeptGame | null {
  return game.moves.length > MOST_PLIES ? null : game;
}

/** The game that was kept, if it is one and belongs to this address. */
export function readGame(kept: unknown, variant: string, fen: string | null): KeptGame | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { variant: of, fen: from, moves, human, level, decided, flipped } = kept as Partial<Record<keyof KeptGame, unknown>>;
  if (of !== variant || from !== fen) return null;
  if (!Array.isArray(moves) || moves.length > MOST_PLIES || !moves.every((m) => typeof m === 'string')) return null;
  if ((human !== 'white' && human !== 'black') || !LEVELS.some((l) => l === level)) return null;
  return { variant, fen, moves, human, level: level as number, decided: readEnd(decided), flipped: flipped === true };
}

const BY_PERSONS: readonly OutcomeReason[] = ['resignation', 'threefoldRepetition', 'fiftyMoves'];

function readEnd(kept: unknown): Outcome | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const { winner, reason } = kept as Partial<Record<keyof Outcome, unknown>>;
  const known = BY_PERSONS.find((r) => r === reason);
  if (known === undefined || (winner !== 'white' && winner !== 'black' && winner !== null)) return null;
  return { winner, reason: known };
}
