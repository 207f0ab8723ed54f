/** What a move of a marker would do to pieces, told before it is made: read from the effects that the rules foretell. */
import type { LegalMove, Piece, Place } from '../api/types';
import type { Gesture, Target } from './gestures';
import { placeKey, samePlace } from './place';

export interface Foreseen {
  /** Pieces that would vanish in a collapse, by their squares. */
  vanish: Place[];
  /** A piece that would be sent elsewhere. */
  sent: { piece: Piece; from: Place; to: Place } | null;
}

/**
 * What is foretold for the targets of what was picked up: a collapse at once, since there is one place for it, and where a
 * piece would be sent when that piece is pointed at or is the only one.
 */
export function foresee(
  list: readonly LegalMove[],
  gesture: Gesture,
  targets: ReadonlyMap<string, Target>,
  pointed: string | null,
): Foreseen | null {
  if (gesture.stage !== 'picked' || gesture.mover !== 'marker') return null;
  const sending = [...targets].filter(([, g]) => g.shape === 'send').map(([key]) => key);
  const shown = sending.find((key) => key === pointed) ?? (sending.length === 1 ? sending[0] : undefined);
  const told: Foreseen = { vanish: [], sent: null };
  for (const m of list) {
    if (m.mover !== 'marker' || !m.to || !samePlace(m.from, gesture.from)) continue;
    const key = placeKey(m.to);
    if (targets.get(key)?.shape === 'collapse') {
      for (const e of m.effects ?? []) if (e.type === 'remove') told.vanish.push(e.at);
    } else if (key === shown && told.sent === null) {
      const moved = m.effects?.find((e) => e.type === 'move');
      if (moved?.type === 'move') told.sent = { piece: moved.piece, from: moved.from, to: moved.to };
    }
  }
  // Who points at a piece to be sent asks for that, and it may come to stand where the hole would be.
  if (told.sent && shown === pointed) told.vanish = [];
  return told.vanish.length > 0 || told.sent ? told : null;
}
