/** How a piece goes, read from its Betza notation, for a small picture. Nothing is decided by it. */
export interface Way {
  dx: number;
  /** Positive is forwards. */
  dy: number;
  /** Goes on in the same direction. */
  rides: boolean;
  /** Only to move, only to capture, or both. */
  use: 'both' | 'move' | 'capture';
}

const ATOMS: Record<string, { dx: number; dy: number; rides: boolean }[]> = {
  W: [{ dx: 0, dy: 1, rides: false }],
  F: [{ dx: 1, dy: 1, rides: false }],
  D: [{ dx: 0, dy: 2, rides: false }],
  N: [{ dx: 1, dy: 2, rides: false }],
  R: [{ dx: 0, dy: 1, rides: true }],
  B: [{ dx: 1, dy: 1, rides: true }],
};
ATOMS.K = [...(ATOMS.W ?? []), ...(ATOMS.F ?? [])];
ATOMS.Q = [...(ATOMS.R ?? []), ...(ATOMS.B ?? [])];

/** Ways of a piece; what the notation says beyond the atoms of these games is left out. */
export function ways(betza: string): Way[] {
  const found = new Map<string, Way>();
  for (const [, modifiers = '', atom = '', again = ''] of betza.matchAll(/([a-z]*)([A-Z])(\2?)/g)) {
    const use = only(modifiers);
    for (const { dx, dy, rides } of ATOMS[atom] ?? []) {
      for (const [x, y] of turned(dx, dy)) {
        if (modifiers.includes('f') && y <= 0) continue;
        const way = { dx: x, dy: y, rides: rides || again !== '', use };
        const key = `${x},${y}`;
        const known = found.get(key);
        if (!known || (way.rides && !known.rides)) found.set(key, way);
      }
    }
  }
  return [...found.values()];
}

function only(modifiers: string): Way['use'] {
  const moves = modifiers.includes('m');
  const captures = modifiers.includes('c');
  if (moves === captures) return 'both';
  return moves ? 'move' : 'capture';
}

function turned(dx: number, dy: number): [number, number][] {
  const all: [number, number][] = [
    [dx, dy], [-dx, dy], [dx, -dy], [-dx, -dy],
    [dy, dx], [-dy, dx], [dy, -dx], [-dy, -dx],
  ];
  return all.filter(([x, y], i) => all.findIndex(([a, b]) => a === x && b === y) === i);
}
