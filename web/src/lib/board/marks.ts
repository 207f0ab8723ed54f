/** Arrows and circles that a person draws. A circle is an arrow that ends where it begins. */
import type { Place } from '../api/types';
import { placeKey } from './place';

export interface Mark {
  from: Place;
  to: Place;
  /** 0 to 3: drawn with no key, Shift, Alt, both. */
  colour: number;
}

/** Draws a mark, changes the colour of one that is there, or wipes it out. */
export function toggle(marks: readonly Mark[], mark: Mark): Mark[] {
  const same = (m: Mark) => placeKey(m.from) === placeKey(mark.from) && placeKey(m.to) === placeKey(mark.to);
  const rest = marks.filter((m) => !same(m));
  const known = marks.find(same);
  return known?.colour === mark.colour ? rest : [...rest, mark];
}
