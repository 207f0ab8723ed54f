/**
 * Lessons: a position, a goal, and words in every language. They are data (lib/lessons/GAME.json); what is legal
 * and what a move did is said by the rules, and a goal only looks at that.
 */
import type { Color, GameView, LegalMove, MarkerKind, MoveKind, Names, OutcomeReason, Place } from '../api/types';
import { samePlace } from '../board/place';

/** All that is named has to hold of the move made and the position reached. */
export interface Goal {
  /** One of these, in UCI. */
  moves?: string[];
  kind?: MoveKind;
  /** What a piece became. */
  role?: string;
  captures?: boolean;
  check?: boolean;
  outcome?: OutcomeReason;
  piece?: { color: Color; role: string; at: Place };
  marker?: { kind: MarkerKind; at: Place };
}

export interface LessonStep {
  goal: Goal;
  /** A move that reaches the goal. */
  solution: string;
  /** The opponent's answer, when the lesson goes on. */
  reply?: string;
}

export interface Lesson {
  id: string;
  fen: string;
  /** What is taught is a ruling: the source is silent. */
  ruling?: boolean;
  title: Names;
  rule: Names;
  task: Names;
  steps: LessonStep[];
}

export interface Course {
  sources: { name: string; url: string }[];
  rulings: Names[];
  lessons: Lesson[];
}

const COURSES = import.meta.glob<Course>('../lessons/*.json', { import: 'default' });

/** The course of a game, or null where there is none. */
export async function loadCourse(variant: string): Promise<Course | null> {
  const load = COURSES[`../lessons/${variant}.json`];
  return load ? load() : null;
}

export function reaches(goal: Goal, move: LegalMove, after: GameView): boolean {
  if (goal.moves && !goal.moves.includes(move.uci)) return false;
  if (goal.kind && goal.kind !== move.kind) return false;
  if (goal.role && goal.role !== move.role) return false;
  if (goal.captures !== undefined && goal.captures !== move.captures.length > 0) return false;
  if (goal.check !== undefined && goal.check !== move.check) return false;
  if (goal.outcome && goal.outcome !== after.outcome?.reason) return false;
  const { piece, marker } = goal;
  if (piece) {
    const there = after.pieces.find((p) => samePlace(p.at, piece.at))?.piece;
    if (there?.color !== piece.color || there.role !== piece.role) return false;
  }
  if (marker && !after.markers.some((m) => m.kind === marker.kind && samePlace(m.at, marker.at))) return false;
  return true;
}

/** Which lessons of a game have been done, as kept between visits. */
export function parseDone(text: string | null): Set<string> {
  return new Set((text ?? '').split(',').filter(Boolean));
}

export function writeDone(done: ReadonlySet<string>): string {
  return [...done].join(',');
}
