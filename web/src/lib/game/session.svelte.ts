/** One game against the computer: the moves made, the view of them, and whose turn it is. */
import {
  SearchCancelled,
  type Claim,
  type Color,
  type EngineApi,
  type GameRef,
  type GameView,
  type LegalMove,
  type Outcome,
  type RulesApi,
  type VariantInfo,
} from '../api/types';
import { opposite } from '../board/place';

export interface Setup {
  info: VariantInfo;
  fen: string | null;
  human: Color;
  level: number;
}

/** A move with the view before it, from which it can be told in words. */
export interface Played {
  move: LegalMove;
  before: GameView;
}

export class ComputerGame {
  readonly info: VariantInfo;
  readonly human: Color;
  readonly level: number;
  readonly startFen: string | null;

  /** The newest position. */
  view: GameView = $state.raw() as GameView;
  /** The position looked at, null for the newest. */
  cursor: number | null = $state(null);
  thinking = $state(false);
  engineError: string | null = $state(null);
  #decided: Outcome | null = $state.raw(null);
  #played: Played[] = $state.raw([]);
  #closed = false;

  readonly #rules: RulesApi;
  readonly #engine: EngineApi;

  /** @throws RulesError when the position is refused. */
  constructor(rules: RulesApi, engine: EngineApi, setup: Setup) {
    this.#rules = rules;
    this.#engine = engine;
    this.info = setup.info;
    this.human = setup.human;
    this.level = setup.level;
    this.startFen = setup.fen;
    this.view = rules.view(this.#ref([]));
  }

  /** Lets the computer begin if it is its turn. */
  start(): void {
    void this.#answer();
  }

  close(): void {
    this.#closed = true;
    this.#engine.cancel();
  }

  get moves(): string[] {
    return this.#played.map((p) => p.move.uci);
  }

  /** How the game ended, by the rules or by a person. */
  get outcome(): Outcome | null {
    return this.view.outcome ?? this.#decided;
  }

  get shownPly(): number {
    return this.cursor ?? this.#played.length;
  }

  /** The position on the board: the newest or the one looked back at. */
  get shown(): GameView {
    if (this.cursor === null) return this.view;
    return this.#rules.view(this.#ref(this.moves.slice(0, this.cursor)));
  }

  /** The move that led to the position shown. */
  get shownMove(): Played | null {
    return this.#played[this.shownPly - 1] ?? null;
  }

  /** What the person may play now: nothing while looking back or while the computer thinks. */
  get legal(): LegalMove[] {
    return this.humanToMove && this.cursor === null ? this.view.legal : [];
  }

  get humanToMove(): boolean {
    return this.outcome === null && this.view.turn === this.human;
  }

  get canUndo(): boolean {
    return this.#played.some((p) => p.before.turn === this.human);
  }

  get claimable(): Claim | null {
    return this.humanToMove ? this.view.claimable : null;
  }

  play(move: LegalMove): void {
    if (!this.legal.includes(move)) return;
    this.#apply(move);
    void this.#answer();
  }

  /** Back to the last position in which it was the person's turn. */
  undo(): void {
    if (!this.canUndo) return;
    this.#engine.cancel();
    const played = [...this.#played];
    let last: Played | undefined;
    do last = played.pop();
    while (last && last.before.turn !== this.human);
    this.#played = played;
    this.#decided = null;
    this.engineError = null;
    this.cursor = null;
    if (last) this.view = last.before;
  }

  resign(): void {
    this.#decide({ winner: opposite(this.human), reason: 'resignation' });
  }

  claimDraw(): void {
    if (this.claimable) this.#decide({ winner: null, reason: this.claimable });
  }

  lookAt(ply: number): void {
    const last = this.#played.length;
    const to = Math.min(Math.max(ply, 0), last);
    this.cursor = to === last ? null : to;
  }

  retryEngine(): void {
    this.engineError = null;
    void this.#answer();
  }

  pgn(tags: Record<string, string>): string {
    return this.#rules.pgn(this.#ref(this.moves), tags);
  }

  #decide(outcome: Outcome): void {
    if (this.outcome) return;
    this.#engine.cancel();
    this.#decided = outcome;
    this.cursor = null;
  }

  #apply(move: LegalMove): void {
    const before = this.view;
    this.view = this.#rules.view(this.#ref([...this.moves, move.uci]));
    this.#played = [...this.#played, { move, before }];
  }

  async #answer(): Promise<void> {
    if (this.#closed || this.outcome || this.view.turn === this.human || this.thinking) return;
    this.thinking = true;
    const asked = this.view;
    try {
      const only = this.view.legal.length === 1 ? this.view.legal[0]?.uci : undefined;
      const uci = only ?? (await this.#search());
      // A forced answer comes at once; the board still needs the time to show the move before it.
      if (only) await new Promise((done) => setTimeout(done, 350));
      // Taken back, resigned or left in the meantime: the answer is to a question no longer asked.
      if (this.#closed || this.outcome || this.view !== asked) return;
      const move = this.view.legal.find((m) => m.uci === uci);
      if (!move) throw new Error(`${uci}?`);
      this.#apply(move);
    } catch (error) {
      if (!(error instanceof SearchCancelled) && this.view === asked) {
        this.engineError = error instanceof Error ? error.message : String(error);
      }
    } finally {
      this.thinking = false;
      // The turn may be the computer's again: after a pass, or in a position come to meanwhile.
      if (this.engineError === null) void this.#answer();
    }
  }

  async #search(): Promise<string> {
    const result = await this.#engine.search({
      ...this.#ref(this.moves),
      level: this.level,
      millis: null,
      seed: Math.floor(Math.random() * 2 ** 31),
    });
    return result.uci;
  }

  #ref(moves: string[]): GameRef {
    return { variant: this.info.id, fen: this.startFen, moves };
  }
}
