/** Where a dialog goes: beside a square, inside the boards, covering what matters as little as it can. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MARGIN = 6;

/**
 * The best of the places around `square`. `frame` is the room there is, `keep` are the boxes that
 * should stay visible; all are in the same coordinates. Earlier candidates win ties.
 */
export function besideSquare(
  square: Box,
  dialog: { width: number; height: number },
  frame: Box,
  keep: readonly Box[],
): { x: number; y: number } {
  const middleX = square.x + (square.width - dialog.width) / 2;
  const middleY = square.y + (square.height - dialog.height) / 2;
  const right = square.x + square.width + MARGIN;
  const left = square.x - dialog.width - MARGIN;
  const below = square.y + square.height + MARGIN;
  const above = square.y - dialog.height - MARGIN;
  const farRight = frame.x + frame.width - dialog.width;
  const farBelow = frame.y + frame.height - dialog.height;
  const candidates: [number, number][] = [
    [right, middleY],
    [left, middleY],
    [middleX, below],
    [middleX, above],
    [right, below],
    [left, below],
    [right, above],
    [left, above],
    [farRight, farBelow],
    [frame.x, farBelow],
    [farRight, frame.y],
    [frame.x, frame.y],
  ];
  let best = { x: frame.x, y: frame.y };
  let least = Infinity;
  for (const [x, y] of candidates) {
    const box = {
      x: Math.max(frame.x, Math.min(x, farRight)),
      y: Math.max(frame.y, Math.min(y, farBelow)),
      width: dialog.width,
      height: dialog.height,
    };
    const covered = [square, ...keep].reduce((sum, k) => sum + overlap(box, k), 0);
    if (covered < least) {
      least = covered;
      best = { x: box.x, y: box.y };
    }
  }
  return best;
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Where a dialog or tooltip under `root` goes, beside the place it is about; `keep` are places to leave visible. */
export function besidePlace(
  root: Element,
  key: string,
  role: 'dialog' | 'tooltip',
  keep: readonly string[],
): { x: number; y: number } | null {
  const outer = root.getBoundingClientRect();
  const boxOf = (selector: string): Box[] => {
    const r = root.querySelector(selector)?.getBoundingClientRect();
    return r ? [{ x: r.x - outer.x, y: r.y - outer.y, width: r.width, height: r.height }] : [];
  };
  const placed = (one: string) => boxOf(`[data-place="${one}"]`);
  const [square] = placed(key);
  const [dialog] = boxOf(`[role="${role}"]`);
  if (!square || !dialog) return null;
  return besideSquare(square, dialog, { x: 0, y: 0, width: outer.width, height: outer.height }, keep.flatMap(placed));
}
