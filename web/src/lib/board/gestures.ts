/**
 * From taps and drags to one legal move. Pure: it knows the list of legal moves and nothing else.
 * A move is made by two gestures, pick up at `from` and release at `to`; what is still open then
 * (exit, role) is chosen as a third.
 */
import type { LegalMove, Mover, Place } from '../api/types';
import { isSquare, placeKey, samePlace } from './place';

export type ChoiceBy = 'exit' | 'role' | 'move';

export type Gesture =
  | { stage: 'idle' }
  | { stage: 'picked'; from: Place; mover: Mover }
  | {
      stage: 'choosing';
      from: Place;
      mover: Mover;
      to: Place;
      by: ChoiceBy;
      moves: LegalMove[];
    };

export type Refusal =
  /** Nothing there that may be picked up. */
  | { why: 'nothingToMove'; at: Place }
  /** What was picked up may not go there. */
  | { why: 'noSuchMove'; from: Place; to: Place };

export interface Step {
  gesture: Gesture;
  play: LegalMove | null;
  refusal: Refusal | null;
}

export type TargetShape =
  | 'move'
  | 'capture'
  | 'swap'
  | 'enter'
  | 'travel'
  | 'exit'
  | 'drop'
  | 'declare'
  | 'pocket'
  /** A marker comes down on a piece, which goes elsewhere. */
  | 'send'
  /** Markers meet, and what is around goes. */
  | 'collapse';

export interface Target {
  place: Place;
  shape: TargetShape;
  /** An enemy piece is taken as well, as by entering a portal on which it stands. */
  captures: boolean;
}

const IDLE: Gesture = { stage: 'idle' };

/** Where a turn starts: what lies off the board and is all that may move is picked up already. */
export function initialGesture(legal: readonly LegalMove[]): Gesture {
  const first = legal[0];
  if (!first?.from || !first.mover) return IDLE;
  const only = legal.every((m) => samePlace(m.from, first.from) && m.mover === first.mover);
  const bound = first.kind === 'transfer' || !isSquare(first.from);
  return only && bound ? { stage: 'picked', from: first.from, mover: first.mover } : IDLE;
}

/** What may be picked up at a place: the piece first, then the marker under it. */
export function moversAt(legal: readonly LegalMove[], place: Place): Mover[] {
  const movers: Mover[] = [];
  for (const mover of ['piece', 'marker'] as const) {
    if (legal.some((m) => m.mover === mover && samePlace(m.from, place))) movers.push(mover);
  }
  return movers;
}

/** Places at which something may be picked up, as keys. */
export function pickable(legal: readonly LegalMove[]): Set<string> {
  const keys = new Set<string>();
  for (const m of legal) if (m.from) keys.add(placeKey(m.from));
  return keys;
}

export function pick(legal: readonly LegalMove[], from: Place, mover?: Mover): Step {
  const movers = moversAt(legal, from);
  const chosen = mover && movers.includes(mover) ? mover : movers[0];
  if (!chosen) {
    return { gesture: initialGesture(legal), play: null, refusal: { why: 'nothingToMove', at: from } };
  }
  return { gesture: { stage: 'picked', from, mover: chosen }, play: null, refusal: null };
}

export function cancel(legal: readonly LegalMove[]): Step {
  return { gesture: initialGesture(legal), play: null, refusal: null };
}

/**
 * The same gesture over another list of moves, as when the turn comes while something is in hand;
 * null when it means nothing there.
 */
export function carryOver(legal: readonly LegalMove[], gesture: Gesture): Gesture | null {
  if (gesture.stage === 'idle' || !moversAt(legal, gesture.from).includes(gesture.mover)) return null;
  if (gesture.stage === 'picked') return gesture;
  const wanted = new Set(gesture.moves.map((m) => m.uci));
  const moves = released(legal, gesture.from, gesture.mover, gesture.to).filter((m) => wanted.has(m.uci));
  return moves.length > 1 ? { ...gesture, moves } : null;
}

/** A tap (or Enter, or the end of a drag) at a place. */
export function tap(legal: readonly LegalMove[], gesture: Gesture, place: Place): Step {
  switch (gesture.stage) {
    case 'idle':
      return pick(legal, place);
    case 'picked': {
      if (samePlace(gesture.from, place)) return again(legal, gesture.from, gesture.mover);
      const moves = released(legal, gesture.from, gesture.mover, place);
      if (moves.length > 0) return resolve(gesture.from, gesture.mover, place, moves);
      if (moversAt(legal, place).length > 0) return pick(legal, place);
      return {
        gesture: initialGesture(legal),
        play: null,
        refusal: { why: 'noSuchMove', from: gesture.from, to: place },
      };
    }
    case 'choosing': {
      if (gesture.by !== 'exit') return cancel(legal);
      const moves = gesture.moves.filter((m) => samePlace(m.exit, place));
      if (moves.length === 0) return cancel(legal);
      return resolve(gesture.from, gesture.mover, gesture.to, moves);
    }
  }
}

/** A button of the choice dialog. */
export function choose(gesture: Gesture, option: Option): Step {
  if (gesture.stage !== 'choosing') return { gesture, play: null, refusal: null };
  return resolve(gesture.from, gesture.mover, gesture.to, option.moves);
}

export interface Option {
  key: string;
  role: string | null;
  exit: Place | null;
  moves: LegalMove[];
}

/** The buttons of the dialog: one a different exit, role or move. */
export function options(gesture: Gesture): Option[] {
  if (gesture.stage !== 'choosing') return [];
  const found = new Map<string, Option>();
  for (const move of gesture.moves) {
    const key = choiceKey(move, gesture.by);
    const option = found.get(key);
    if (option) option.moves.push(move);
    else found.set(key, { key, role: move.role, exit: move.exit, moves: [move] });
  }
  return [...found.values()];
}

/** Moves that end at `to` when the thing at `from` was picked up. */
export function released(
  legal: readonly LegalMove[],
  from: Place,
  mover: Mover,
  to: Place,
): LegalMove[] {
  return legal.filter(
    (m) => m.mover === mover && samePlace(m.from, from) && samePlace(m.to, to),
  );
}

/** What to mark on the board while a gesture is under way. */
export function targets(legal: readonly LegalMove[], gesture: Gesture): Target[] {
  if (gesture.stage === 'idle') return [];
  const found = new Map<string, Target>();
  const add = (place: Place | null, shape: TargetShape, captures: boolean) => {
    if (!place) return;
    const key = placeKey(place);
    const known = found.get(key);
    if (!known) found.set(key, { place, shape, captures });
    else known.captures ||= captures;
  };
  if (gesture.stage === 'choosing') {
    if (gesture.by === 'exit') for (const m of gesture.moves) add(m.exit, 'exit', false);
    return [...found.values()];
  }
  for (const m of legal) {
    if (m.mover !== gesture.mover || !samePlace(m.from, gesture.from)) continue;
    add(m.to, shapeOf(m), m.captures.length > 0);
  }
  return [...found.values()];
}

function shapeOf(move: LegalMove): TargetShape {
  switch (move.kind) {
    case 'swap':
      return 'swap';
    case 'enter':
      return 'enter';
    case 'drop':
    case 'place':
      return 'drop';
    case 'pocket':
      return 'pocket';
    case 'declare':
    case 'transfer':
      return 'declare';
    case 'travel':
      return move.captures.length > 0 ? 'capture' : 'travel';
    case 'shift':
      return markerShape(move);
    default:
      return move.captures.length > 0 ? 'capture' : 'move';
  }
}

/** A marker on its way does what the rules say that it does: they are asked. */
function markerShape(move: LegalMove): TargetShape {
  const effects = move.effects ?? [];
  if (effects.some((e) => e.type === 'markerAdd' && e.marker.kind === 'locked')) return 'collapse';
  if (effects.some((e) => e.type === 'move')) return 'send';
  return 'move';
}

/** A second tap on the same place: the other thing there, or let go. */
function again(legal: readonly LegalMove[], from: Place, mover: Mover): Step {
  const movers = moversAt(legal, from);
  const next = movers[movers.indexOf(mover) + 1];
  return next ? pick(legal, from, next) : cancel(legal);
}

function resolve(from: Place, mover: Mover, to: Place, moves: LegalMove[]): Step {
  const [first] = moves;
  if (first && moves.length === 1) return { gesture: IDLE, play: first, refusal: null };
  const by = choiceBy(moves);
  return { gesture: { stage: 'choosing', from, mover, to, by, moves }, play: null, refusal: null };
}

function choiceBy(moves: readonly LegalMove[]): ChoiceBy {
  const differ = (by: ChoiceBy) => new Set(moves.map((m) => choiceKey(m, by))).size > 1;
  if (differ('exit')) return 'exit';
  if (differ('role')) return 'role';
  return 'move';
}

function choiceKey(move: LegalMove, by: ChoiceBy): string {
  switch (by) {
    case 'exit':
      return move.exit ? placeKey(move.exit) : '';
    case 'role':
      return move.role ?? '';
    case 'move':
      return move.uci;
  }
}
