/** The wheel over a board goes back and forth in the moves, where there is something to go to; else it scrolls the page. */

/** How far a wheel turns for one move: a notch of a mouse's, or as much of a touchpad's. */
const NOTCH = 50;

/** `step` says whether there was a move to go to. The answer ends it. */
export function browseByWheel(area: HTMLElement, step: (by: 1 | -1) => boolean): () => void {
  let turned = 0;
  const onwheel = (event: WheelEvent): void => {
    const { deltaY, deltaX, deltaMode } = event;
    if (event.ctrlKey || event.shiftKey || deltaY === 0 || Math.abs(deltaX) > Math.abs(deltaY)) return;
    if (!(event.target instanceof Element) || !event.target.closest('[role="grid"]')) return;
    // A page that is scrolled down comes back first.
    if (deltaY < 0 && scrollY > 0) return;
    const way = deltaY < 0 ? -1 : 1;
    if (Math.sign(turned) !== way) turned = 0;
    turned += deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : way * NOTCH;
    if (Math.abs(turned) < NOTCH) {
      event.preventDefault();
      return;
    }
    turned = 0;
    if (step(way)) event.preventDefault();
  };
  area.addEventListener('wheel', onwheel, { passive: false });
  return () => area.removeEventListener('wheel', onwheel);
}
