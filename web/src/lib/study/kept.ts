/** An analysis as its page keeps it. Pure: where it is kept is for `ui/entry.ts` to know. */
import type { TreeMove } from '../api/study';
import type { Color } from '../api/types';

/** Changes when what is kept changes its form. */
export const KEPT_ANALYSIS = 1;
/** Larger trees, or more words, are not kept: no browser promises to. */
const MOST_MOVES = 4000;
const MOST_WORDS = 400_000;

export interface KeptAnalysis {
  variant: string;
  fen: string | null;
  tags: Record<string, string>;
  result: string;
  comments: string[];
  nodes: TreeMove[];
  /** The move that is looked at, by its number in the list. */
  at: number | null;
  bottom: Color;
}

export function writeAnalysis(kept: KeptAnalysis): KeptAnalysis | null {
  if (kept.nodes.length > MOST_MOVES) return null;
  let words = 0;
  for (const text of [...kept.comments, ...Object.values(kept.tags)]) words += text.length;
  for (const { comments, before } of kept.nodes) for (const text of [...comments, ...before]) words += text.length;
  return words > MOST_WORDS ? null : kept;
}

/** The analysis that was kept, if it is one of this game. */
export function readAnalysis(kept: unknown, variant: string): KeptAnalysis | null {
  if (!isRecord(kept) || kept.variant !== variant || !isText(kept.result)) return null;
  const { fen, tags, result, comments, nodes, at, bottom } = kept;
  if (!(fen === null || isText(fen)) || !isRecord(tags) || !Object.values(tags).every(isText) || !isTexts(comments)) return null;
  if (!Array.isArray(nodes) || nodes.length > MOST_MOVES || !nodes.every(isMove)) return null;
  if (!(at === null || (typeof at === 'number' && at >= 0 && at < nodes.length))) return null;
  const side = bottom === 'black' ? 'black' : 'white';
  return { variant, fen, tags: tags as Record<string, string>, result, comments, nodes, at, bottom: side };
}

/** A move stands after the one that it follows. */
function isMove(move: unknown, place: number): move is TreeMove {
  if (!isRecord(move) || !isText(move.uci) || !isText(move.san) || typeof move.fullmove !== 'number') return false;
  if (move.turn !== 'white' && move.turn !== 'black') return false;
  if (!(move.parent === null || (typeof move.parent === 'number' && move.parent >= 0 && move.parent < place))) return false;
  if (!Array.isArray(move.nags) || !move.nags.every((n) => typeof n === 'number')) return false;
  return isTexts(move.comments) && isTexts(move.before);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}
