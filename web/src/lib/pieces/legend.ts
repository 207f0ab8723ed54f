/** The pieces of all games, each once, with what differs from game to game. Pure. */
import type { RoleInfo, VariantInfo } from '../api/types';

export interface Entry {
  role: RoleInfo;
  games: VariantInfo[];
  class: number | null;
  /** Least and greatest worth in the games that have it, in hundredths of a pawn. */
  worth: [number, number];
}

/** Pieces that look the same are one; the plainest and least come first. */
export function legend(games: readonly VariantInfo[]): Entry[] {
  const found = new Map<string, Entry>();
  for (const game of games) {
    for (const role of game.roles) {
      const looks = `${role.shape} ${role.badges.join(' ')}`;
      const known = found.get(looks);
      if (!known) {
        found.set(looks, { role, games: [game], class: role.class ?? null, worth: [role.value, role.value] });
        continue;
      }
      known.games.push(game);
      known.class ??= role.class ?? null;
      known.worth = [Math.min(known.worth[0], role.value), Math.max(known.worth[1], role.value)];
    }
  }
  return [...found.values()].sort((a, b) => a.role.badges.length - b.role.badges.length || a.role.value - b.role.value);
}

/** Hundredths of a pawn as pawns: `3.2`, or `2.7–3.3` where games differ. */
export function pawns([least, most]: [number, number], locale: string): string {
  const told = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const [a, b] = [told.format(least / 100), told.format(most / 100)];
  return a === b ? a : `${a}–${b}`;
}
