/** An analysis under way: the tree, where one is in it, and the view of that position. */
import type { ReadPgn } from '../api/study';
import { RulesError, type Color, type GameRef, type GameView, type LegalMove, type RulesApi, type VariantInfo } from '../api/types';
import type { Played } from '../game/session.svelte';
import { ruleError } from '../ui/ruleError';
import type { KeptAnalysis } from './kept';
import * as trees from './tree';

export interface Beginning {
  info: VariantInfo;
  fen: string | null;
  moves: string[];
}

export class AnalysisSession {
  readonly info: VariantInfo;
  tree: trees.Tree = $state.raw(trees.emptyTree());
  /** The move that was made last, null before the first. */
  at: number | null = $state(null);
  startFen: string | null = $state(null);
  tags: Record<string, string> = $state.raw({});
  result = $state('*');
  view: GameView = $state.raw() as GameView;
  /** Why the position could not be shown. */
  failure: string | null = $state(null);
  played: Played | null = $state.raw(null);
  readonly #rules: RulesApi;

  /** @throws RulesError when position or moves are refused. */
  constructor(rules: RulesApi, beginning: Beginning) {
    this.#rules = rules;
    this.info = beginning.info;
    this.startFen = beginning.fen;
    const game = { variant: this.info.id, fen: beginning.fen, moves: beginning.moves };
    this.view = rules.view(game);
    this.tree = trees.fromHistory(this.view.history);
    this.at = trees.endOf(this.tree, null);
  }

  get ref(): GameRef {
    return this.refAt(this.at);
  }

  refAt(id: number | null): GameRef {
    return { variant: this.info.id, fen: this.startFen, moves: trees.pathTo(this.tree, id).map((n) => n.uci) };
  }

  get node(): trees.TreeNode | null {
    return this.at === null ? null : (this.tree.nodes.get(this.at) ?? null);
  }

  play(move: LegalMove): void {
    const before = this.view;
    const { moves } = this.ref;
    const view = this.#rules.view({ ...this.ref, moves: [...moves, move.uci] });
    // What the move is called is told with the position after it.
    const made = view.history[moves.length];
    if (!made) return;
    const { tree, id } = trees.add(this.tree, this.at, made);
    this.tree = tree;
    this.at = id;
    this.view = view;
    this.failure = null;
    this.played = { move, before };
  }

  /** Plays a whole line on from here. @throws RulesError when it cannot be played. */
  playLine(moves: readonly string[]): void {
    const known = this.ref.moves.length;
    const view = this.#rules.view({ ...this.ref, moves: [...this.ref.moves, ...moves] });
    const { tree, id } = trees.addLine(this.tree, this.at, view.history.slice(known));
    this.tree = tree;
    this.#show(id, null);
  }

  /** What a text means here. @throws RulesError */
  playText(text: string): void {
    const uci = this.#rules.parse(this.ref, text);
    const move = this.view.legal.find((m) => m.uci === uci);
    if (move) this.play(move);
  }

  goto(id: number | null): void {
    if (id === this.at) return;
    const node = id === null ? undefined : this.tree.nodes.get(id);
    const before = this.view;
    const follows = node !== undefined && node.parent === this.at;
    const move = follows ? before.legal.find((m) => m.uci === node.uci) : undefined;
    this.#show(id, move ? { move, before } : null);
  }

  next(): void {
    const next = trees.childrenOf(this.tree, this.at)[0];
    if (next !== undefined) this.goto(next);
  }

  previous(): void {
    const node = this.node;
    if (node) this.goto(node.parent);
  }

  first(): void {
    this.goto(null);
  }

  last(): void {
    this.goto(trees.endOf(this.tree, this.at));
  }

  /** The variation before or after this one at the same place. */
  sibling(step: 1 | -1): void {
    const node = this.node;
    if (!node) return;
    const all = trees.childrenOf(this.tree, node.parent);
    const next = all[all.indexOf(node.id) + step];
    if (next !== undefined) this.goto(next);
  }

  promote(): void {
    if (this.at !== null) this.tree = trees.promote(this.tree, this.at);
  }

  removeHere(): void {
    const node = this.node;
    if (!node) return;
    this.tree = trees.remove(this.tree, node.id);
    this.#show(node.parent, null);
  }

  comment(text: string): void {
    this.tree = trees.comment(this.tree, this.at, text);
  }

  toggleNag(nag: number): void {
    if (this.at !== null) this.tree = trees.toggleNag(this.tree, this.at, nag);
  }

  /** Says how good a move is, unless somebody has said so. */
  sign(id: number, nag: number): void {
    this.tree = trees.sign(this.tree, id, nag);
  }

  pgn(): string {
    return this.#rules.writePgn({
      variant: this.info.id,
      fen: this.startFen,
      tags: this.tags,
      comments: [...this.tree.comments],
      nodes: trees.toMoves(this.tree),
      result: this.result,
    });
  }

  /** Takes over a game of this variant. @throws RulesError */
  load(form: ReadPgn): void {
    const view = this.#rules.view({ variant: this.info.id, fen: form.fen, moves: [] });
    this.startFen = form.fen;
    this.tree = trees.fromForm(form);
    this.tags = form.tags;
    this.result = form.result;
    this.at = null;
    this.played = null;
    this.failure = null;
    this.view = view;
  }

  /** All of it, as the page keeps it. */
  keep(bottom: Color): KeptAnalysis {
    const { moves, places } = trees.numbered(this.tree);
    return {
      variant: this.info.id,
      fen: this.startFen,
      tags: this.tags,
      result: this.result,
      comments: [...this.tree.comments],
      nodes: moves,
      at: this.at === null ? null : (places.get(this.at) ?? null),
      bottom,
    };
  }

  /** Goes on with what was kept. @throws RulesError when it cannot be shown. */
  restore(kept: KeptAnalysis): void {
    this.load({ ...kept, more: false });
    if (kept.at !== null) this.#show(kept.at + 1, null);
  }

  #show(id: number | null, played: Played | null): void {
    try {
      this.view = this.#rules.view(this.refAt(id));
      this.failure = null;
      this.played = played;
    } catch (error) {
      if (!(error instanceof RulesError)) throw error;
      // A game can have been written on after the rules have ended it.
      this.failure = ruleError(error);
    }
    this.at = id;
  }
}
