/** A game with variations. Pure: trees are not changed, every change gives a new one. */
import type { Color, HistoryEntry } from '../api/types';
import type { TreeForm, TreeMove } from '../api/study';

export interface TreeNode {
  id: number;
  parent: number | null;
  /** The main line first. */
  children: number[];
  uci: string;
  san: string;
  turn: Color;
  fullmove: number;
  nags: number[];
  comments: string[];
  before: string[];
}

export interface Tree {
  nodes: ReadonlyMap<number, TreeNode>;
  /** First moves, the main line first. */
  roots: readonly number[];
  comments: readonly string[];
  nextId: number;
}

export type NewMove = Pick<TreeNode, 'uci' | 'san' | 'turn' | 'fullmove'>;

export function emptyTree(): Tree {
  return { nodes: new Map(), roots: [], comments: [], nextId: 1 };
}

export function childrenOf(tree: Tree, at: number | null): readonly number[] {
  return at === null ? tree.roots : (tree.nodes.get(at)?.children ?? []);
}

/** Plays a move after `at`. One that is known already is not made twice. */
export function add(tree: Tree, at: number | null, move: NewMove): { tree: Tree; id: number } {
  const known = childrenOf(tree, at).find((id) => tree.nodes.get(id)?.uci === move.uci);
  if (known !== undefined) return { tree, id: known };
  const id = tree.nextId;
  const node: TreeNode = { ...move, id, parent: at, children: [], nags: [], comments: [], before: [] };
  const nodes = new Map(tree.nodes).set(id, node);
  const next = withChildren({ ...tree, nodes, nextId: id + 1 }, at, [...childrenOf(tree, at), id]);
  return { tree: next, id };
}

export function addLine(tree: Tree, at: number | null, moves: readonly NewMove[]): { tree: Tree; id: number | null } {
  let here = at;
  for (const move of moves) ({ tree, id: here } = add(tree, here, move));
  return { tree, id: here };
}

/** From the first move to this one. */
export function pathTo(tree: Tree, id: number | null): TreeNode[] {
  const path: TreeNode[] = [];
  for (let node = id === null ? undefined : tree.nodes.get(id); node; node = parentOf(tree, node)) path.push(node);
  return path.reverse();
}

/** The last move of the line that goes on from here. */
export function endOf(tree: Tree, at: number | null): number | null {
  let here = at;
  for (;;) {
    const next = childrenOf(tree, here)[0];
    if (next === undefined) return here;
    here = next;
  }
}

/** The moves of the game itself. */
export function mainLine(tree: Tree): TreeNode[] {
  return pathTo(tree, endOf(tree, null));
}

/** Whether the move belongs to a variation rather than the main line. */
export function isVariation(tree: Tree, id: number): boolean {
  return pathTo(tree, id).some((n) => childrenOf(tree, n.parent)[0] !== n.id);
}

/** Moves the variation that the move belongs to one place forward, up to being the main line of its branch. */
export function promote(tree: Tree, id: number): Tree {
  for (const node of pathTo(tree, id).reverse()) {
    const siblings = childrenOf(tree, node.parent);
    const place = siblings.indexOf(node.id);
    if (place <= 0) continue;
    const moved = siblings.filter((s) => s !== node.id);
    moved.splice(place - 1, 0, node.id);
    return withChildren(tree, node.parent, moved);
  }
  return tree;
}

/** Takes a move out, with all that follows. */
export function remove(tree: Tree, id: number): Tree {
  const node = tree.nodes.get(id);
  if (!node) return tree;
  const nodes = new Map(tree.nodes);
  const gone = [id];
  for (let next = gone.pop(); next !== undefined; next = gone.pop()) {
    gone.push(...(nodes.get(next)?.children ?? []));
    nodes.delete(next);
  }
  return withChildren({ ...tree, nodes }, node.parent, childrenOf(tree, node.parent).filter((c) => c !== id));
}

/** Says something about a move, or about the game as a whole. Nothing but blanks is nothing. */
export function comment(tree: Tree, id: number | null, text: string): Tree {
  const comments = text.trim() ? [text.trim()] : [];
  return id === null ? { ...tree, comments } : change(tree, id, { comments });
}

/** The signs that say how good a move is; a move has one of them at most. */
export const MOVE_SIGNS: readonly { nag: number; sign: string }[] = [
  { nag: 1, sign: '!' },
  { nag: 2, sign: '?' },
  { nag: 3, sign: '!!' },
  { nag: 4, sign: '??' },
  { nag: 5, sign: '!?' },
  { nag: 6, sign: '?!' },
];
/** The signs that say how the position stands. */
export const POSITION_SIGNS: readonly { nag: number; sign: string }[] = [
  { nag: 10, sign: '=' },
  { nag: 13, sign: '∞' },
  { nag: 14, sign: '+=' },
  { nag: 15, sign: '=+' },
  { nag: 16, sign: '±' },
  { nag: 17, sign: '∓' },
  { nag: 18, sign: '+−' },
  { nag: 19, sign: '−+' },
];

/** Sets a sign, or takes it away if it is there; another of its kind gives way. */
export function toggleNag(tree: Tree, id: number, nag: number): Tree {
  const node = tree.nodes.get(id);
  if (!node) return tree;
  const kind = [MOVE_SIGNS, POSITION_SIGNS].find((signs) => signs.some((s) => s.nag === nag)) ?? [];
  const kept = node.nags.filter((n) => !kind.some((s) => s.nag === n));
  return change(tree, id, { nags: node.nags.includes(nag) ? kept : [...kept, nag].sort((a, b) => a - b) });
}

/** Sets a sign of how good a move is, unless the move has one. */
export function sign(tree: Tree, id: number, nag: number): Tree {
  const nags = tree.nodes.get(id)?.nags ?? [];
  return MOVE_SIGNS.some((s) => nags.includes(s.nag)) ? tree : toggleNag(tree, id, nag);
}

export function signOf(nag: number): string {
  return [...MOVE_SIGNS, ...POSITION_SIGNS].find((s) => s.nag === nag)?.sign ?? `$${nag}`;
}

/** In the list form of the rules: each move after the one it follows, main lines first. */
export function toMoves(tree: Tree): TreeMove[] {
  return numbered(tree).moves;
}

/** The same, and which place each move has in the list. */
export function numbered(tree: Tree): { moves: TreeMove[]; places: ReadonlyMap<number, number> } {
  const moves: TreeMove[] = [];
  const places = new Map<number, number>();
  const waiting = [...tree.roots].reverse();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const node = tree.nodes.get(id);
    if (!node) continue;
    const { uci, san, turn, fullmove, nags, comments, before } = node;
    places.set(id, moves.length);
    const parent = node.parent === null ? null : (places.get(node.parent) ?? null);
    moves.push({ parent, uci, san, turn, fullmove, nags, comments, before });
    waiting.push(...[...node.children].reverse());
  }
  return { moves, places };
}

export function fromForm(form: Pick<TreeForm, 'nodes' | 'comments'>): Tree {
  const nodes = new Map<number, TreeNode>();
  const roots: number[] = [];
  form.nodes.forEach((move, i) => {
    const { parent, ...rest } = move;
    const id = i + 1;
    const above = parent === null ? null : parent + 1;
    nodes.set(id, { ...rest, id, parent: above, children: [] });
    if (above === null) roots.push(id);
    else nodes.get(above)?.children.push(id);
  });
  return { nodes, roots, comments: form.comments, nextId: form.nodes.length + 1 };
}

export function fromHistory(history: readonly HistoryEntry[]): Tree {
  return addLine(
    emptyTree(),
    null,
    history.map(({ uci, san, turn, fullmove }) => ({ uci, san, turn, fullmove })),
  ).tree;
}

/** Whether it is more than a list of moves. */
export function isRich(tree: Tree): boolean {
  if (tree.comments.length > 0 || tree.roots.length > 1) return true;
  return [...tree.nodes.values()].some(
    (n) => n.children.length > 1 || n.nags.length > 0 || n.comments.length > 0 || n.before.length > 0,
  );
}

/** A line as it is read: moves, and after a move the variations to it. */
export type Item =
  | { type: 'move'; node: TreeNode; number: string | null }
  | { type: 'comment'; key: string; text: string }
  | { type: 'variation'; key: string; items: Item[] };

/** The tree as nested lines. Deep trees of many moves are no deep recursion: only variations nest. */
export function lines(tree: Tree): Item[] {
  return lineFrom(tree, tree.roots, tree.comments);
}

function lineFrom(tree: Tree, first: readonly number[], opening: readonly string[]): Item[] {
  const items: Item[] = opening.map((text, i) => ({ type: 'comment', key: `o${first[0]}-${i}`, text }));
  let numbered = false;
  for (let next = first; next.length > 0; ) {
    const [main, ...others] = next;
    const node = main === undefined ? undefined : tree.nodes.get(main);
    if (!node) break;
    const white = node.turn === 'white';
    items.push({ type: 'move', node, number: white ? `${node.fullmove}.` : numbered ? null : `${node.fullmove}…` });
    numbered = true;
    node.comments.forEach((text, i) => {
      items.push({ type: 'comment', key: `c${node.id}-${i}`, text });
      numbered = false;
    });
    for (const other of others) {
      const begun = tree.nodes.get(other);
      items.push({ type: 'variation', key: `v${other}`, items: lineFrom(tree, [other], begun?.before ?? []) });
      numbered = false;
    }
    next = node.children;
  }
  return items;
}

function parentOf(tree: Tree, node: TreeNode): TreeNode | undefined {
  return node.parent === null ? undefined : tree.nodes.get(node.parent);
}

function change(tree: Tree, id: number, what: Partial<TreeNode>): Tree {
  const node = tree.nodes.get(id);
  return node ? { ...tree, nodes: new Map(tree.nodes).set(id, { ...node, ...what }) } : tree;
}

function withChildren(tree: Tree, at: number | null, children: number[]): Tree {
  return at === null ? { ...tree, roots: children } : change(tree, at, { children });
}
