/** Keyframes for journeys. Positions are in squares as drawn; an element is one square large. */
import type { Leg } from './scene';
import type { Place } from '../api/types';

export const DURATION = 200;
export const DURATION_LONG = 250;

type Position = { x: number; y: number };

/** Where a place is drawn on this board, or null when it is elsewhere. */
export type Locate = (place: Place) => Position | null;

/**
 * The way of one thing to where it stands now, for `Element.animate`. In a jump it shrinks where it
 * goes in and grows where it comes out; a leg that begins off this board is only its coming out.
 */
export function keyframes(legs: readonly Leg[], locate: Locate): Keyframe[] {
  const last = legs[legs.length - 1];
  const end = last && locate(last.to);
  if (!end) return [];
  const at = (p: Position, scale: number): Keyframe => ({
    transform: `translate(${percent(p.x - end.x)}, ${percent(p.y - end.y)}) scale(${scale})`,
    opacity: scale < 1 ? 0 : 1,
    easing: 'ease-in-out',
  });
  const frames: Keyframe[] = [];
  for (const leg of legs) {
    const from = locate(leg.from);
    const to = locate(leg.to);
    if (from && frames.length === 0) frames.push(at(from, 1));
    if (leg.jump) {
      if (from) frames.push(at(from, 0.2));
      if (to) frames.push(at(to, 0.2));
    }
    if (to) frames.push(at(to, 1));
  }
  return withOffsets(frames);
}

/** Spreads the time evenly, except that the leap itself, unseen, takes none. */
function withOffsets(frames: Keyframe[]): Keyframe[] {
  const unseen = (i: number) => frames[i]?.opacity === 0 && frames[i - 1]?.opacity === 0;
  const steps = frames.filter((_, i) => i > 0 && !unseen(i)).length;
  let seen = 0;
  return frames.map((frame, i) => {
    if (i > 0 && !unseen(i)) seen++;
    return { ...frame, offset: steps === 0 ? 0 : seen / steps };
  });
}

function percent(squares: number): string {
  return `${Math.round(squares * 10000) / 100}%`;
}

export function motionAllowed(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
