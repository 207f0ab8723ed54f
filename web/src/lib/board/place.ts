/** Small helpers on places. A key is unique among the places of one game. */
import type { AreaId, Color, Place } from '../api/types';

export type SquarePlace = { area: AreaId; square: string };

export function isSquare(place: Place | null): place is SquarePlace {
  return place !== null && 'square' in place;
}

export function placeKey(place: Place): string {
  if ('square' in place) return `${place.area}:${place.square}`;
  if ('pocket' in place) return `pocket:${place.pocket}`;
  if ('transit' in place) return `transit:${place.transit}`;
  return `hand:${place.hand}`;
}

export function samePlace(a: Place | null, b: Place | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  // Squares first and without a key: lists of moves are gone through by them.
  if ('square' in a) return 'square' in b && a.square === b.square && a.area === b.area;
  return !('square' in b) && placeKey(a) === placeKey(b);
}

/** The other way round: used to read a place back from the DOM. */
export function placeFromKey(key: string): Place | null {
  const cut = key.indexOf(':');
  const kind = key.slice(0, cut);
  const rest = key.slice(cut + 1);
  switch (kind) {
    case 'A':
    case 'B':
      return { area: kind, square: rest };
    case 'pocket':
      return isColor(rest) ? { pocket: rest } : null;
    case 'transit':
      return isColor(rest) ? { transit: rest } : null;
    case 'hand':
      return isColor(rest) ? { hand: rest } : null;
    default:
      return null;
  }
}

function isColor(text: string): text is Color {
  return text === 'white' || text === 'black';
}

export function opposite(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}
