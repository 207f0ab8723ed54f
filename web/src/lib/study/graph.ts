/** The evaluation graph as lines in a box of width 100 and height 100, White's advantage above. Pure. */

export interface Point {
  ply: number;
  x: number;
  y: number;
}

/** `shares` are White's shares (0 to 1) after each ply, null where nothing is known yet. */
export function points(shares: readonly (number | null)[]): Point[] {
  const last = Math.max(shares.length - 1, 1);
  return shares.flatMap((share, ply) => (share === null ? [] : [{ ply, x: (ply / last) * 100, y: (1 - share) * 100 }]));
}

/** The line through the points; what lies between White's edge and it is White's. */
export function area(line: readonly Point[]): string {
  const [first, last] = [line[0], line[line.length - 1]];
  if (!first || !last) return '';
  const through = line.map((p) => `L${round(p.x)} ${round(p.y)}`).join(' ');
  return `M${round(first.x)} 100 ${through} L${round(last.x)} 100 Z`;
}

export function path(line: readonly Point[]): string {
  return line.map((p, i) => `${i === 0 ? 'M' : 'L'}${round(p.x)} ${round(p.y)}`).join(' ');
}

/** The ply next to a place on the graph, from 0 to 1. */
export function plyAt(place: number, plies: number): number {
  return Math.min(Math.max(Math.round(place * Math.max(plies - 1, 0)), 0), Math.max(plies - 1, 0));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
