/** One game against the computer. */
import {
  SearchCancelled,
  type Color,
  type EngineApi,
  type GameView,
  type LegalMove,
  type Outcome,
  type RulesApi,
  type VariantInfo,
} from '../api/types';
import { opposite } from '../board/place';
import { Table } from './table.svelte';

export type { Played } from './table.svelte';

export interface Setup {
  info: VariantInfo;
  fen: string | null;
  human: Color;
  level: number;
  /** A game that goes on. */
  moves?: readonly string[];
  /** How it was ended by the person. */
  decided?: Outcome | null;
}

/** How well the computer thinks when it is asked for advice, and for how long. */
const ADVICE = { level: 8, millis: 1000 };

export class ComputerGame extends Table {
  human: Color = $state('white');
  level: number = $state(1);
  thinking = $state(false);
  engineError: string | null = $state(null);
  advising = $state(false);
  /** Good for one position. */
  #advice: { view: GameView; move: LegalMove } | null = $state.raw(null);
  #closed = false;
  readonly #engine: EngineApi;

  /** @throws RulesError when the position is refused. */
  constructor(rules: RulesApi, engine: EngineApi, setup: Setup) {
    super(rules, setup.info, setup.fen, setup.moves);
    this.#engine = engine;
    this.human = setup.human;
    this.level = setup.level;
    if (setup.decided) this.decide(setup.decided);
  }

  get mine(): Color {
    return this.human;
  }

  /** A move that the computer would make, when it was asked. */
  get advice(): LegalMove | null {
    return this.#advice?.view === this.view ? this.#advice.move : null;
  }

  /** How it was ended by the person; an end by the rules follows from the moves. */
  get decision(): Outcome | null {
    return this.decided;
  }

  get canUndo(): boolean {
    return this.played.some((p) => p.before.turn === this.human);
  }

  /** Lets the computer begin if it is its turn. */
  start(): void {
    void this.#answer();
  }

  close(): void {
    this.#closed = true;
    this.#engine.cancel();
  }

  /** Back to the last position in which it was the person's turn. */
  undo(): void {
    if (!this.canUndo) return;
    this.#interrupt();
    let plies = this.played.length - 1;
    while (this.played[plies]?.before.turn !== this.human) plies--;
    this.engineError = null;
    this.rewind(plies);
  }

  /** The person plays on with the other side, the computer with this one. */
  switchSides(): void {
    if (this.outcome) return;
    this.#interrupt();
    this.setPremove(null);
    this.engineError = null;
    this.cursor = null;
    this.human = opposite(this.human);
    void this.#answer();
  }

  setLevel(level: number): void {
    this.level = level;
  }

  resign(): void {
    this.#interrupt();
    this.decide({ winner: opposite(this.human), reason: 'resignation' });
  }

  claimDraw(): void {
    if (!this.claimable) return;
    this.#interrupt();
    this.decide({ winner: null, reason: this.claimable });
  }

  retryEngine(): void {
    this.engineError = null;
    void this.#answer();
  }

  /** Asks the computer what it would play in the person's place. */
  async advise(): Promise<void> {
    if (!this.myTurn || this.advising) return;
    const asked = this.view;
    this.advising = true;
    try {
      const uci = await this.#search(ADVICE.level, ADVICE.millis);
      if (this.view === asked && this.myTurn) {
        const move = asked.legal.find((m) => m.uci === uci);
        if (move) this.#advice = { view: asked, move };
      }
    } catch (error) {
      this.#failed(error, asked === this.view);
    } finally {
      this.advising = false;
    }
  }

  protected submit(move: LegalMove): void {
    if (this.advising) this.#interrupt();
    this.advance(move.uci);
    void this.#answer();
  }

  /** What the computer is thinking about is no longer asked. */
  #interrupt(): void {
    this.#engine.cancel();
    this.#advice = null;
  }

  async #answer(): Promise<void> {
    if (this.#closed || this.outcome || this.myTurn || this.thinking) return;
    this.thinking = true;
    const asked = this.view;
    try {
      const only = this.view.legal.length === 1 ? this.view.legal[0]?.uci : undefined;
      const uci = only ?? (await this.#search(this.level, null));
      // A forced answer comes at once; the board still needs the time to show the move before it.
      if (only) await new Promise((done) => setTimeout(done, 350));
      // Taken back, resigned or left in the meantime: the answer is to a question no longer asked.
      if (this.#closed || this.outcome || this.view !== asked || this.myTurn) return;
      if (!this.advance(uci)) throw new Error(`${uci}?`);
      this.playPremove();
    } catch (error) {
      this.#failed(error, this.view === asked);
    } finally {
      this.thinking = false;
      // The turn may be the computer's again: after a pass, or in a position come to meanwhile.
      if (this.engineError === null) void this.#answer();
    }
  }

  #failed(error: unknown, current: boolean): void {
    if (error instanceof SearchCancelled || !current) return;
    this.engineError = error instanceof Error ? error.message : String(error);
  }

  async #search(level: number, millis: number | null): Promise<string> {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const result = await this.#engine.search({ ...this.refAt(this.moves), level, millis, seed });
    return result.uci;
  }
}
