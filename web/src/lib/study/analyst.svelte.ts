/** The engine at work on the position shown: asked again with more nodes, as long as it is on. */
import { SearchCancelled, type Color, type GameRef } from '../api/types';
import type { Analysis, AnalystApi } from '../api/study';

/** The first look is short, so that there is something to see at once. */
const FIRST = 10_000;
/** The longest look: some tens of seconds of a phone. */
const LAST = 8_000_000;

export class Analyst {
  on = $state(false);
  lines = $state(1);
  /** What was found about the position shown. */
  found: Analysis | null = $state.raw(null);
  /** Whose turn it was where it was found. */
  turn: Color = $state('white');
  working = $state(false);
  error: string | null = $state(null);
  #epoch = 0;

  constructor(private readonly engine: AnalystApi) {}

  /** Another position, or another number of lines. Null: there is nothing to find. */
  look(game: GameRef | null, turn: Color): void {
    this.#epoch++;
    this.engine.interrupt();
    this.found = null;
    this.working = false;
    this.error = null;
    if (this.on && game) void this.#work(game, turn, this.lines, this.#epoch);
  }

  close(): void {
    this.#epoch++;
    this.engine.cancel();
  }

  async #work(game: GameRef, turn: Color, lines: number, epoch: number): Promise<void> {
    this.working = true;
    try {
      for (let nodes = FIRST; nodes <= LAST; nodes *= 2) {
        const found = await this.engine.analyse({ ...game, lines, nodes });
        if (epoch !== this.#epoch) return;
        this.found = found;
        this.turn = turn;
        // All is decided, or every line has been seen to its end.
        if (found.nodes < nodes / 2) break;
      }
    } catch (error) {
      if (epoch !== this.#epoch || error instanceof SearchCancelled) return;
      this.error = error instanceof Error ? error.message : String(error);
    }
    if (epoch === this.#epoch) this.working = false;
  }
}

/** For White, whoever is to move. */
export interface Score {
  cp: number | null;
  mate: number | null;
}

export function forWhite(score: { scoreCp: number | null; mate: number | null }, turn: Color): Score {
  const sign = turn === 'white' ? 1 : -1;
  return {
    cp: score.scoreCp === null ? null : sign * score.scoreCp,
    mate: score.mate === null ? null : sign * score.mate,
  };
}

/** "+0.35", "−1.20", "#3", "#−2". */
export function scoreText({ cp, mate }: Score): string {
  if (mate !== null) return `#${mate < 0 ? '−' : ''}${Math.abs(mate)}`;
  const pawns = (cp ?? 0) / 100;
  const sign = pawns > 0 ? '+' : pawns < 0 ? '−' : '';
  return `${sign}${Math.abs(pawns).toFixed(2)}`;
}

/** White's share of the bar, 0 to 1. */
export function share({ cp, mate }: Score): number {
  if (mate !== null) return mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.004 * (cp ?? 0)));
}
