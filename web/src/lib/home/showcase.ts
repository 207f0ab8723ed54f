/** A position of each game in which one sees what is special about it. Data: a game without one shows its beginning. */
import type { GameView, Place, RulesApi, VariantInfo } from '../api/types';
import positions from './showcase.json';

interface Showcase {
  fen: string | null;
  moves: string[];
  /** What is in hand, so that the marks of its moves are seen. */
  from?: Place;
}

const SHOWCASES = positions as Record<string, Showcase>;

export interface Shown {
  view: GameView;
  from: Place | null;
}

export function showcase(rules: RulesApi, info: VariantInfo): Shown {
  const told = SHOWCASES[info.id];
  try {
    if (told) return { view: rules.view({ variant: info.id, fen: told.fen, moves: told.moves }), from: told.from ?? null };
  } catch {
    // Rules that know the position no more have a beginning all the same.
  }
  return { view: rules.view({ variant: info.id, fen: null, moves: [] }), from: null };
}
