/** Shares of results, as bars show them. Pure. */

export interface Counts {
  white: number;
  draws: number;
  black: number;
}

export function gamesOf({ white, draws, black }: Counts): number {
  return white + draws + black;
}

/** Whole per cents that add up to a hundred: the largest remainders are rounded up. */
export function perCents(counts: Counts): Counts {
  const all = gamesOf(counts);
  if (all === 0) return { white: 0, draws: 0, black: 0 };
  const keys = ['white', 'draws', 'black'] as const;
  const exact = keys.map((key) => ({ key, value: (counts[key] * 100) / all }));
  const whole = { white: 0, draws: 0, black: 0 };
  for (const { key, value } of exact) whole[key] = Math.floor(value);
  const left = 100 - gamesOf(whole);
  const byRest = [...exact].sort((a, b) => (b.value % 1) - (a.value % 1));
  for (const { key } of byRest.slice(0, left)) whole[key]++;
  return whole;
}

export const MODES = ['rated', 'casual', 'computer', 'import'] as const;
export type Mode = (typeof MODES)[number];

/** What the server counts when nothing is said. */
export const USUAL_MODES: readonly Mode[] = ['rated', 'casual', 'computer'];

export function readModes(text: string | null): Mode[] {
  const found = MODES.filter((mode) => (text ?? '').split(',').includes(mode));
  return found.length > 0 ? found : [...USUAL_MODES];
}
