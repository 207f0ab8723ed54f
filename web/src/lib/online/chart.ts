/** Where the points of a rating's chart are drawn. */
export interface Point {
  at: number;
  rating: number;
}

export interface Chart {
  /** The line as an SVG path in a field of `width` × `height`. */
  path: string;
  /** Lines across with their ratings. */
  ticks: { y: number; rating: number }[];
  /** Where the line ends. */
  end: { x: number; y: number };
  low: number;
  high: number;
  first: Point;
  last: Point;
}

/** Rating points of the API: year, month from 0, day, rating. */
export function pointsOf(days: readonly (readonly [number, number, number, number])[]): Point[] {
  return days.map(([year, month, day, rating]) => ({ at: Date.UTC(year, month, day), rating }));
}

/** The chart of at least one point; null for none. */
export function chart(points: readonly Point[], width: number, height: number): Chart | null {
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || !last) return null;
  const ratings = points.map((p) => p.rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const step = high - low > 800 ? 400 : high - low > 300 ? 200 : high - low > 120 ? 100 : 50;
  // A line needs room above and below: a rating that hardly changed is not to look like a mountain.
  const bottom = Math.floor((low - step / 4) / step) * step;
  const top = Math.max(Math.ceil((high + step / 4) / step) * step, bottom + 2 * step);
  const span = Math.max(last.at - first.at, 1);
  const x = (p: Point) => (points.length === 1 ? width / 2 : ((p.at - first.at) / span) * width);
  const y = (rating: number) => height - ((rating - bottom) / (top - bottom)) * height;
  const path = points.map((p, i) => `${i === 0 ? 'M' : 'L'}${x(p).toFixed(1)} ${y(p.rating).toFixed(1)}`).join('');
  const ticks = [];
  for (let rating = bottom; rating <= top; rating += step) ticks.push({ y: y(rating), rating });
  return { path: points.length === 1 ? `${path}h0.1` : path, ticks, end: { x: x(last), y: y(last.rating) }, low, high, first, last };
}
