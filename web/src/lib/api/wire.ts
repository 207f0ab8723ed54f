/** The only place where the names of the wire form differ from the client's own. */
import type { GameView, LegalMove, PlacedPiece } from './types';

type WireMove = Omit<LegalMove, 'mover'> & { mover: 'man' | 'marker' | null };
export type WireView = Omit<GameView, 'pieces' | 'legal'> & { men: PlacedPiece[]; legal: WireMove[] };

export function viewFromWire(wire: WireView): GameView {
  const { men, legal, ...rest } = wire;
  return {
    ...rest,
    pieces: men,
    legal: legal.map((m) => ({ ...m, mover: m.mover === 'man' ? 'piece' : m.mover })),
  };
}
