/**
 * Taps, drags and swipes on anything that carries `data-place`, as one stream of intentions. Works
 * for mouse, pen and touch alike; a screen reader's click without a pointer is a tap. The secondary
 * button draws.
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
  outside(target: EventTarget | null): void;
  /** A line was drawn with the secondary button; a circle where both ends are the same. */
  draw?(from: Place, to: Place, colour: number): void;
  /** The secondary button went down while something was picked up. True if that was all it did. */
  secondary?(): boolean;
  /** A finger went sideways over the boards. */
  swipe?(direction: 1 | -1): void;
  /** A finger rested on a place, or a mouse pointer came to rest over it; null when it went away. */
  rest?(place: Place | null): void;
  /** The pointer is over a place. */
  hover?(place: Place | null): void;
}

/** How far a pointer moves before it drags, in CSS pixels. */
const SLOP = 5;
/** How far a finger goes sideways to swipe, in CSS pixels. */
const SWIPE = 48;
/** How long a pointer rests before it asks what is there, in milliseconds. */
const REST = { touch: 480, mouse: 850 };

interface Press {
  id: number;
  place: Place | null;
  x: number;
  y: number;
  picked: boolean;
  dragging: boolean;
  touch: boolean;
  rested: boolean;
}

export function listen(root: HTMLElement, on: PointerHandlers): () => void {
  let press: Press | null = null;
  let line: Place | null = null;
  let hovered: string | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;

  const inside = (target: EventTarget | null) => target instanceof Node && root.contains(target);
  const apart = (target: EventTarget | null) =>
    target instanceof Element && target.closest('[role="dialog"], [data-chip]') !== null;

  const waitToRest = (place: Place, wait: number) => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      if (press) press.rested = true;
      on.rest?.(place);
    }, wait);
  };

  const down = (event: PointerEvent) => {
    clearTimeout(resting);
    on.rest?.(null);
    if (!event.isPrimary || apart(event.target)) return;
    const place = inside(event.target) ? placeOf(event.target) : null;
    if (event.button === 2) {
      if (place && !on.secondary?.()) line = place;
      return;
    }
    if (event.button !== 0) return;
    const touch = event.pointerType === 'touch';
    if (!place) {
      on.outside(event.target);
      if (!touch || !inside(event.target)) return;
    }
    // Touch captures the pointer for its first element; the drag has to see what is under it.
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId)) {
      event.target.releasePointerCapture(event.pointerId);
    }
    const picked = place !== null && on.picksUp(place);
    if (picked) on.pick(place);
    const { pointerId: id, clientX: x, clientY: y } = event;
    press = { id, place, x, y, picked, dragging: false, touch, rested: false };
    if (touch && place) waitToRest(place, REST.touch);
  };

  const move = (event: PointerEvent) => {
    if (!press) {
      if (event.pointerType !== 'touch') pass(event);
      return;
    }
    if (event.pointerId !== press.id) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLOP;
    if (far) clearTimeout(resting);
    if (!press.dragging && far && press.place && on.isPicked(press.place)) press.dragging = true;
    if (!press.dragging) return;
    event.preventDefault();
    on.dragMove(event.clientX, event.clientY, placeAt(event));
  };

  /** A mouse that moves without a button. */
  const pass = (event: PointerEvent) => {
    const place = inside(event.target) ? placeOf(event.target) : null;
    const key = place && placeKey(place);
    if (key === hovered) return;
    hovered = key;
    on.hover?.(place);
    clearTimeout(resting);
    on.rest?.(null);
    if (place) waitToRest(place, REST.mouse);
  };

  const up = (event: PointerEvent) => {
    if (event.button === 2 && line) {
      const to = placeUnder(event);
      if (to) on.draw?.(line, to, (event.shiftKey ? 1 : 0) + (event.altKey || event.ctrlKey ? 2 : 0));
      line = null;
      return;
    }
    if (!press || event.pointerId !== press.id) return;
    clearTimeout(resting);
    const { place, picked, dragging, touch, rested, x } = press;
    press = null;
    const end = placeUnder(event);
    const across = event.clientX - x;
    if (dragging) {
      on.dragEnd(end);
    } else if (touch && Math.abs(across) > SWIPE) {
      on.swipe?.(across < 0 ? 1 : -1);
    } else if (!rested && !picked && place && end && placeKey(end) === placeKey(place)) {
      on.tap(place);
    }
  };

  const lost = (event: PointerEvent) => {
    clearTimeout(resting);
    if (!press || event.pointerId !== press.id) return;
    if (press.dragging) on.dragCancel();
    press = null;
  };

  const click = (event: MouseEvent) => {
    // detail is 0 when no pointer made the click: a keyboard on a button, or assistive technology.
    const place = event.detail === 0 ? placeOf(event.target) : null;
    if (place) on.tap(place);
  };

  const menu = (event: MouseEvent) => {
    if (placeOf(event.target)) event.preventDefault();
  };

  document.addEventListener('pointerdown', down);
  window.addEventListener('pointermove', move, { passive: false });
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', lost);
  root.addEventListener('click', click);
  root.addEventListener('contextmenu', menu);
  return () => {
    clearTimeout(resting);
    document.removeEventListener('pointerdown', down);
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', up);
    window.removeEventListener('pointercancel', lost);
    root.removeEventListener('click', click);
    root.removeEventListener('contextmenu', menu);
  };

  /** Without asking what lies there, where the event tells it: nobody has captured the pointer. */
  function placeUnder(event: PointerEvent): Place | null {
    const target = event.target;
    if (!(target instanceof Element) || target.hasPointerCapture(event.pointerId)) return placeAt(event);
    return inside(target) ? placeOf(target) : null;
  }

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
