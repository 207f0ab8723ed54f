/** An analysis that the server made of a game, or is making: asked for again until it is done. */
import { askForReview, review, type JudgmentName, type Review, type ReviewPly } from '../api/archive';
import type { Score } from './analyst.svelte';

/** How long until the server is asked again, in milliseconds. */
const AGAIN = 2000;

/** The sign of a judgment, as PGN numbers them. */
export const NAG: Record<JudgmentName, number> = { Inaccuracy: 6, Mistake: 2, Blunder: 4 };

export class GameReview {
  review: Review | null = $state.raw(null);
  /** What went wrong, as it was thrown. */
  failure: unknown = $state.raw(null);
  asking = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(readonly game: string) {}

  get working(): boolean {
    return this.review?.state === 'queued' || this.review?.state === 'running';
  }

  /** Whether there is nothing yet, or what there was failed. */
  get open(): boolean {
    const state = this.review?.state;
    return state === 'none' || state === 'failed';
  }

  load(): Promise<void> {
    return this.#get(() => review(this.game));
  }

  async ask(): Promise<void> {
    this.asking = true;
    await this.#get(() => askForReview(this.game));
    this.asking = false;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #get(from: () => Promise<Review>): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.review = await from();
      this.failure = null;
    } catch (error) {
      this.failure = error;
    }
    if (this.working && !this.#closed) this.#timer = setTimeout(() => void this.load(), AGAIN);
  }
}

/** The evaluation after a ply, from White's view. */
export function scoreOf(ply: ReviewPly | undefined): Score | null {
  if (!ply?.eval) return null;
  return { cp: ply.eval.cp ?? null, mate: ply.eval.mate ?? null };
}
