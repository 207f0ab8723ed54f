/**
 * A game at the table: what was played, what is looked at, what may be played, and what was decided
 * in advance. Where the other side's moves come from is left to those who extend it: the computer
 * (`session.svelte.ts`), or a server. Pages and boards know no more than `Table`.
 */
import type {
  Claim,
  Color,
  GameRef,
  GameView,
  LegalMove,
  Outcome,
  Piece,
  Place,
  RulesApi,
  VariantInfo,
  Why,
} from '../api/types';
import { samePlace } from '../board/place';

/** A move with the view before it, from which it can be told in words. */
export interface Played {
  move: LegalMove;
  before: GameView;
}

/** A move decided before its turn has come. It is meant for one position in the game only. */
interface Ahead {
  move: LegalMove;
  /** How many moves have been made when it is its turn. */
  ply: number;
  /** What stands where it starts. If that is something else then, the move is another one. */
  piece: Piece | null;
}

export abstract class Table {
  readonly info: VariantInfo;
  readonly startFen: string | null;
  protected readonly rules: RulesApi;

  /** The newest position. */
  view: GameView = $state.raw() as GameView;
  /** The position looked at, null for the newest. */
  cursor: number | null = $state(null);
  /** Why the move decided in advance was not played, until the next gesture. */
  premoveLost = $state(false);
  protected decided: Outcome | null = $state.raw(null);
  protected played: Played[] = $state.raw([]);
  #ahead: Ahead | null = $state.raw(null);
  #premovable: { view: GameView; moves: LegalMove[] } | null = null;

  /** @throws RulesError when the position or a move is refused. */
  constructor(rules: RulesApi, info: VariantInfo, startFen: string | null, moves: readonly string[] = []) {
    this.rules = rules;
    this.info = info;
    this.startFen = startFen;
    this.view = rules.view(this.refAt([]));
    for (const uci of moves) this.advance(uci);
  }

  /** The side that the person plays, null for one who only looks on. */
  abstract get mine(): Color | null;

  /** Makes a legal move of the person and tells the other side. */
  protected abstract submit(move: LegalMove): void;

  /** Input is held while this is true, as while a connection is away. */
  get held(): boolean {
    return false;
  }

  get moves(): string[] {
    return this.played.map((p) => p.move.uci);
  }

  /** How the game ended, by the rules or by a person. */
  get outcome(): Outcome | null {
    return this.view.outcome ?? this.decided;
  }

  get shownPly(): number {
    return this.cursor ?? this.played.length;
  }

  /** The position on the board: the newest or the one looked back at. */
  get shown(): GameView {
    if (this.cursor === null) return this.view;
    return this.rules.view(this.refAt(this.moves.slice(0, this.cursor)));
  }

  /** The move that led to the position shown. */
  get shownMove(): Played | null {
    return this.played[this.shownPly - 1] ?? null;
  }

  get lastMove(): Played | null {
    return this.played[this.played.length - 1] ?? null;
  }

  get myTurn(): boolean {
    return this.outcome === null && this.mine !== null && this.view.turn === this.mine;
  }

  /** What the person may play now: nothing while looking back or while the other side is to move. */
  get legal(): LegalMove[] {
    return this.myTurn && this.cursor === null && !this.held ? this.view.legal : [];
  }

  /** What the person may decide now for the next turn. Forced turns need no decision. */
  get premovable(): LegalMove[] {
    if (this.outcome || this.mine === null || this.myTurn || this.cursor !== null) return [];
    if (this.#premovable?.view !== this.view) {
      const all = this.rules.premoves(this.refAt(this.moves));
      const forced = all.every((m) => m.kind === 'pass' || m.kind === 'transfer');
      this.#premovable = { view: this.view, moves: forced ? [] : all };
    }
    return this.#premovable.moves;
  }

  get premove(): LegalMove | null {
    return this.#ahead?.move ?? null;
  }

  get claimable(): Claim | null {
    return this.myTurn ? this.view.claimable : null;
  }

  play(move: LegalMove): void {
    if (!this.legal.includes(move)) return;
    this.premoveLost = false;
    this.submit(move);
  }

  /** Decides the next turn's move, or takes the decision back. */
  setPremove(move: LegalMove | null): void {
    this.premoveLost = false;
    if (move === null) {
      this.#ahead = null;
    } else if (this.premovable.includes(move)) {
      this.#ahead = { move, ply: this.view.ply + 1, piece: pieceAt(this.view, move.from) };
    }
  }

  lookAt(ply: number): void {
    const last = this.played.length;
    const to = Math.min(Math.max(ply, 0), last);
    this.cursor = to === last ? null : to;
  }

  /** What the person wrote, as a legal move. @throws RulesError */
  read(text: string): LegalMove | null {
    const uci = this.rules.parse(this.refAt(this.moves), text);
    return this.view.legal.find((m) => m.uci === uci) ?? null;
  }

  why(from: Place, to: Place): Why {
    return this.rules.why(this.refAt(this.moves), from, to);
  }

  pgn(tags: Record<string, string>): string {
    return this.rules.pgn(this.refAt(this.moves), tags);
  }

  /**
   * One more move, whoever made it. A move decided in advance is played when it is its turn.
   * Returns false when the move is not legal.
   */
  protected advance(uci: string): boolean {
    const move = this.view.legal.find((m) => m.uci === uci);
    if (!move) return false;
    const before = this.view;
    this.view = this.rules.view(this.refAt([...this.moves, uci]));
    this.played = [...this.played, { move, before }];
    return true;
  }

  /** Back to the position after so many moves. What was decided in advance was for another one. */
  protected rewind(plies: number): void {
    const first = this.played[plies];
    if (first) this.view = first.before;
    this.played = this.played.slice(0, plies);
    this.decided = null;
    this.cursor = null;
    this.#ahead = null;
    this.premoveLost = false;
  }

  protected decide(outcome: Outcome): void {
    if (this.outcome) return;
    this.decided = outcome;
    this.cursor = null;
    this.#ahead = null;
  }

  /** To be called when the other side has moved. Returns true when a decided move was played. */
  protected playPremove(): boolean {
    const ahead = this.#ahead;
    if (!ahead || (!this.myTurn && !this.outcome)) return false;
    this.#ahead = null;
    const { move, ply, piece } = ahead;
    const legal = this.view.legal.find((m) => m.uci === move.uci && m.kind === move.kind);
    const same = samePiece(piece, pieceAt(this.view, move.from));
    if (this.outcome || this.held || this.view.ply !== ply || !legal || !same) {
      this.premoveLost = this.outcome === null;
      return false;
    }
    this.submit(legal);
    return true;
  }

  protected refAt(moves: string[]): GameRef {
    return { variant: this.info.id, fen: this.startFen, moves };
  }
}

function pieceAt(view: GameView, place: Place | null): Piece | null {
  return view.pieces.find((p) => samePlace(p.at, place))?.piece ?? null;
}

function samePiece(a: Piece | null, b: Piece | null): boolean {
  return a?.color === b?.color && a?.role === b?.role;
}
