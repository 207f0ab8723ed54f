/** What belongs together across squares: fixed links, a pair of owned portals, declared teleports. */
import type { GameView, Place, VariantInfo } from '../api/types';
import type { Gesture, Target } from './gestures';
import { isSquare, placeKey } from './place';

export interface Join {
  from: Place;
  to: Place;
  kind: 'declared' | 'blocked' | 'pair' | 'premove' | 'advice' | 'sent';
}

/** Fixed links get a number; both ends the same. */
export function linkNumbers(info: VariantInfo): Map<string, number> {
  const numbers = new Map<string, number>();
  info.links.forEach((link, i) => {
    for (const end of link) numbers.set(placeKey(end), i + 1);
  });
  return numbers;
}

export function joins(
  view: GameView,
  gesture: Gesture,
  targets: Map<string, Target>,
  /** What the pointer or the focus is on. */
  pointed: string | null = null,
): Join[] {
  const found: Join[] = [];
  for (const m of view.markers) {
    if ((m.kind === 'declared' || m.kind === 'blocked') && m.to) {
      found.push({ from: m.at, to: m.to, kind: m.kind });
    }
  }
  // Two portals with owners are a pair. The line is drawn when it is pointed at, or when what was picked up can use it.
  const owned = view.markers.filter((m) => m.kind === 'portal' && m.owner !== null && isSquare(m.at));
  const [a, b] = owned;
  if (a && b && owned.length === 2) {
    const pointedAt = [a, b].some((m) => placeKey(m.at) === pointed);
    const relevant =
      pointedAt ||
      (gesture.stage === 'picked' &&
      ([...targets.values()].some((g) => g.shape === 'travel') ||
        [a, b].some((m) => targets.has(placeKey(m.at)) || placeKey(m.at) === placeKey(gesture.from))));
    if (relevant) found.push({ from: a.at, to: b.at, kind: 'pair' });
  }
  return found;
}

/** The other end of a fixed link. */
export function linkedTo(info: VariantInfo, place: Place): Place | null {
  const key = placeKey(place);
  for (const [a, b] of info.links) {
    if (placeKey(a) === key) return b;
    if (placeKey(b) === key) return a;
  }
  return null;
}
