/** Whether a sheet is open after a swipe. Pure. */

/** A swipe this long counts however slow it was, in pixels. */
const FAR = 60;
/** A flick this fast counts however short it was, in pixels a millisecond. */
const FAST = 0.35;

export function opens(wasOpen: boolean, up: number, millis: number): boolean {
  const fast = Math.abs(up) / Math.max(millis, 1) >= FAST;
  if (Math.abs(up) < FAR && !fast) return wasOpen;
  return up > 0;
}
