/**
 * Taps and drags on anything that carries `data-place`, as one stream of intentions. Works for
 * mouse, pen and touch alike; a screen reader's click without a pointer is a tap.
 */
import type { Place } from '../api/types';
import { placeFromKey, placeKey } from './place';

export interface PointerHandlers {
  /** May something be picked up here at once, when the pointer goes down? */
  picksUp(place: Place): boolean;
  /** Is this what has been picked up, so that it may be dragged? */
  isPicked(place: Place): boolean;
  pick(place: Place): void;
  tap(place: Place): void;
  dragMove(x: number, y: number, over: Place | null): void;
  /** The drag ends over a place, or nowhere. */
  dragEnd(place: Place | null): void;
  dragCancel(): void;
  /** The pointer went down outside of every place. */
  outside(): void;
}

/** How far a pointer moves before it drags, in CSS pixels. */
const SLOP = 5;

interface Press {
  id: number;
  place: Place;
  x: number;
  y: number;
  picked: boolean;
  dragging: boolean;
}

export function listen(root: HTMLElement, on: PointerHandlers): () => void {
  let press: Press | null = null;

  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !event.isPrimary) return;
    if (event.target instanceof Element && event.target.closest('[role="dialog"], [data-chip]')) return;
    const place = placeOf(event.target);
    if (!place || !root.contains(event.target as Node)) {
      on.outside();
      return;
    }
    // Touch captures the pointer for its first element; the drag has to see what is under it.
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId)) {
      event.target.releasePointerCapture(event.pointerId);
    }
    const picked = on.picksUp(place);
    if (picked) on.pick(place);
    press = { id: event.pointerId, place, x: event.clientX, y: event.clientY, picked, dragging: false };
  };

  const move = (event: PointerEvent) => {
    if (!press || event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLOP;
    if (!press.dragging && far && on.isPicked(press.place)) press.dragging = true;
    if (!press.dragging) return;
    event.preventDefault();
    on.dragMove(event.clientX, event.clientY, placeAt(event));
  };

  const up = (event: PointerEvent) => {
    if (!press || event.pointerId !== press.id) return;
    const { place, picked, dragging } = press;
    press = null;
    const end = placeAt(event);
    if (dragging) {
      on.dragEnd(end);
    } else if (!picked && end && placeKey(end) === placeKey(place)) {
      on.tap(place);
    }
  };

  const lost = (event: PointerEvent) => {
    if (!press || event.pointerId !== press.id) return;
    if (press.dragging) on.dragCancel();
    press = null;
  };

  const click = (event: MouseEvent) => {
    // detail is 0 when no pointer made the click: a keyboard on a button, or assistive technology.
    const place = event.detail === 0 ? placeOf(event.target) : null;
    if (place) on.tap(place);
  };

  document.addEventListener('pointerdown', down);
  window.addEventListener('pointermove', move, { passive: false });
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', lost);
  root.addEventListener('click', click);
  return () => {
    document.removeEventListener('pointerdown', down);
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    window.removeEventListener('pointercancel', lost);
    root.removeEventListener('click', click);
  };

  function placeAt(event: PointerEvent): Place | null {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return element && root.contains(element) ? placeOf(element) : null;
  }
}

function placeOf(target: EventTarget | null): Place | null {
  const element = target instanceof Element ? target.closest('[data-place]') : null;
  const key = element?.getAttribute('data-place');
  return key ? placeFromKey(key) : null;
}
