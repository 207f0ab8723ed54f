/** Which game a FEN is of, when it is none of the game at hand. */
import type { RulesApi, VariantInfo } from '../api/types';

/** The first game that can read it as a position; null where none can. */
export function gameOf(rules: RulesApi, fen: string): VariantInfo | null {
  const reads = ({ id }: VariantInfo): boolean => {
    try {
      rules.view({ variant: id, fen, moves: [] });
      return true;
    } catch {
      return false;
    }
  };
  return rules.variants().find(reads) ?? null;
}
