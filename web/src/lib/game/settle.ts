/** How long the picture of a move is left alone before more is computed, in milliseconds. */
const SETTLE = 120;
const GESTURES = ['pointerdown', 'keydown'] as const;

/** Does something once the last move has been drawn, or before that when a gesture comes that may need it; the answer calls it off. */
export function settled(task: () => void): () => void {
  const off = (): void => {
    clearTimeout(timer);
    for (const gesture of GESTURES) window.removeEventListener(gesture, now, { capture: true });
  };
  const now = (): void => {
    off();
    task();
  };
  const timer = setTimeout(now, SETTLE);
  for (const gesture of GESTURES) window.addEventListener(gesture, now, { capture: true });
  return off;
}

/**
 * Does something once the next picture has been drawn: what is measured then is laid out already, and nobody waits for it.
 * A page that is hidden has no pictures: there it is done at once. The answer calls it off.
 */
export function afterPaint(task: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (): void => {
    timer = setTimeout(task);
  };
  if (document.hidden) {
    later();
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(later);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
