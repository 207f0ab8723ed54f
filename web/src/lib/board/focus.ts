/**
 * Where the keyboard is on a board. A click leaves the focus on a square although nobody steers by it: until a key has brought it
 * there, the arrows belong to the page, which goes back and forth in the moves by them.
 */

/** On a grid while its focus came from a pointer. */
const BY_POINTER = 'data-by-pointer';

/** Keeps account of how the focus came into a grid; the answer ends it. */
export function watchFocus(grid: HTMLElement): () => void {
  const point = (): void => grid.setAttribute(BY_POINTER, '');
  const steer = (): void => grid.removeAttribute(BY_POINTER);
  const onkey = (event: KeyboardEvent): void => {
    if (event.key === 'Tab' || event.key === 'Enter' || event.key === ' ') steer();
  };
  const onfocus = (): void => {
    // A press gives the focus by itself, after it has been seen here.
    if (!pressed) steer();
  };
  let pressed = false;
  const down = (): void => {
    pressed = true;
    point();
    setTimeout(() => (pressed = false));
  };
  // Before the focus goes where the press is.
  grid.addEventListener('pointerdown', down);
  grid.addEventListener('mousedown', down);
  grid.addEventListener('focusin', onfocus);
  grid.addEventListener('keydown', onkey);
  return () => {
    grid.removeEventListener('pointerdown', down);
    grid.removeEventListener('mousedown', down);
    grid.removeEventListener('focusin', onfocus);
    grid.removeEventListener('keydown', onkey);
  };
}

/** Whether somebody steers over a board's squares by the keyboard. */
export function steersSquares(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`[role="grid"]:not([${BY_POINTER}])`) !== null;
}

/** The square of a grid that has the focus, and a way to give it the focus again once its cells are made anew. */
export function keepFocus(grid: HTMLElement | undefined): (() => void) | null {
  const active = document.activeElement;
  const square = grid && active && grid.contains(active) ? active.getAttribute('data-square') : null;
  if (!grid || square === null) return null;
  const pointed = grid.hasAttribute(BY_POINTER);
  return () => {
    if (document.activeElement && document.activeElement !== document.body) return;
    grid.querySelector<HTMLElement>(`[data-square="${square}"]`)?.focus({ preventScroll: true });
    if (pointed) grid.setAttribute(BY_POINTER, '');
  };
}
