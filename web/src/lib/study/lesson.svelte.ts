/** One lesson under way: the moves made, how far it has come, and what was said to the last try. */
import type { GameView, LegalMove, RulesApi, VariantInfo } from '../api/types';
import type { Played } from '../game/session.svelte';
import { reaches, type Lesson } from './lessons';

export type Verdict = 'none' | 'step' | 'done' | 'wrong';

/** How long a move that is not the answer stays on the board, and how long the opponent waits. */
export const PAUSE = 900;

export class LessonRun {
  view: GameView = $state.raw() as GameView;
  played: Played | null = $state.raw(null);
  /** The step to be done now. */
  step = $state(0);
  verdict: Verdict = $state('none');
  /** The solution was asked for: the lesson does not count as done by it. */
  shown = $state(false);
  /** The board moves by itself: a wrong try goes back, or the opponent answers. */
  busy = $state(false);
  #moves: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly rules: Pick<RulesApi, 'view'>,
    readonly info: VariantInfo,
    readonly lesson: Lesson,
    private readonly onDone: () => void,
    private readonly pause = PAUSE,
  ) {
    this.view = this.#look();
  }

  /** What may be played now. */
  get legal(): LegalMove[] {
    return this.busy || this.verdict === 'done' ? [] : this.view.legal;
  }

  play(move: LegalMove): void {
    const step = this.lesson.steps[this.step];
    if (!step || this.busy || !this.view.legal.includes(move)) return;
    this.#make(move);
    if (!reaches(step.goal, move, this.view)) {
      this.verdict = 'wrong';
      this.#later(() => this.#back());
      return;
    }
    if (this.step + 1 === this.lesson.steps.length) {
      this.verdict = 'done';
      if (!this.shown) this.onDone();
      return;
    }
    this.verdict = 'step';
    const reply = step.reply;
    this.#later(() => {
      const answer = this.view.legal.find((m) => m.uci === reply);
      if (answer) this.#make(answer);
      this.step++;
    });
  }

  /** Plays the solution of the step, for whoever gives up. */
  showSolution(): void {
    const uci = this.lesson.steps[this.step]?.solution;
    const move = this.legal.find((m) => m.uci === uci);
    if (!move) return;
    this.shown = true;
    this.play(move);
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#moves = [];
    this.step = 0;
    this.verdict = 'none';
    this.shown = false;
    this.busy = false;
    this.played = null;
    this.view = this.#look();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #make(move: LegalMove): void {
    const before = this.view;
    this.#moves = [...this.#moves, move.uci];
    this.played = { move, before };
    this.view = this.#look();
  }

  #back(): void {
    const before = this.played?.before;
    this.#moves = this.#moves.slice(0, -1);
    this.played = null;
    if (before) this.view = before;
  }

  #later(what: () => void): void {
    this.busy = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.busy = false;
      what();
    }, this.pause);
  }

  #look(): GameView {
    return this.rules.view({ variant: this.info.id, fen: this.lesson.fen, moves: this.#moves });
  }
}
