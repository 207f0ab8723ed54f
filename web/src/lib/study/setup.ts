/** Changes of a set-up in the editor. Pure, and free of rules: what is allowed is asked afterwards. */
import type { Color, Place } from '../api/types';
import type { Setup, SetupPortal } from '../api/study';
import { isSquare, samePlace } from '../board/place';

export type Tool =
  | { type: 'move' }
  | { type: 'erase' }
  | { type: 'piece'; color: Color; role: string }
  | { type: 'portal'; owner: Color | null };

export function sameTool(a: Tool, b: Tool): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether there is anything to pick up. */
export function holds(setup: Setup, at: Place): boolean {
  return setup.pieces.some((p) => samePlace(p.at, at)) || setup.portals.some((p) => samePlace(p.at, at));
}

/** What a tool does at a place. */
export function use(setup: Setup, tool: Tool, at: Place): Setup {
  switch (tool.type) {
    case 'move':
      return setup;
    case 'erase':
      return erase(setup, at);
    case 'piece': {
      const color = 'pocket' in at ? at.pocket : tool.color;
      if (!isSquare(at) && !('pocket' in at)) return setup;
      const there = setup.pieces.find((p) => samePlace(p.at, at))?.piece;
      const pieces = setup.pieces.filter((p) => !samePlace(p.at, at));
      // The same once more takes it away.
      if (there?.color === color && there.role === tool.role) return { ...setup, pieces };
      return { ...setup, pieces: [...pieces, { piece: { color, role: tool.role }, at }] };
    }
    case 'portal':
      return isSquare(at) ? putPortal(setup, tool.owner, at) : setup;
  }
}

/** Moves what lies at a place, the piece before a portal under it; to nowhere takes it off the board. */
export function move(setup: Setup, from: Place, to: Place | null): Setup {
  if (to && samePlace(from, to)) return setup;
  const piece = setup.pieces.find((p) => samePlace(p.at, from));
  if (piece) {
    const pieces = setup.pieces.filter((p) => p !== piece && !(to && samePlace(p.at, to)));
    if (!to || (!isSquare(to) && !('pocket' in to))) return { ...setup, pieces };
    const color = 'pocket' in to ? to.pocket : piece.piece.color;
    return { ...setup, pieces: [...pieces, { piece: { ...piece.piece, color }, at: to }] };
  }
  const portal = setup.portals.find((p) => samePlace(p.at, from));
  if (!portal) return setup;
  const left = { ...setup, portals: lessOne(setup.portals, portal) };
  return to && isSquare(to) ? putPortal(left, portal.owner, to) : left;
}

function erase(setup: Setup, at: Place): Setup {
  if (setup.pieces.some((p) => samePlace(p.at, at))) {
    return { ...setup, pieces: setup.pieces.filter((p) => !samePlace(p.at, at)) };
  }
  const portal = setup.portals.find((p) => samePlace(p.at, at));
  return portal ? { ...setup, portals: lessOne(setup.portals, portal) } : setup;
}

/** A neutral portal comes on top of what lies there; an owner has one. */
function putPortal(setup: Setup, owner: Color | null, at: Place): Setup {
  if (owner !== null) {
    return { ...setup, portals: [...setup.portals.filter((p) => p.owner !== owner), { owner, at, count: 1 }] };
  }
  const there = setup.portals.find((p) => samePlace(p.at, at));
  if (!there) return { ...setup, portals: [...setup.portals, { owner, at, count: 1 }] };
  return { ...setup, portals: setup.portals.map((p) => (p === there ? { ...p, count: p.count + 1 } : p)) };
}

function lessOne(portals: readonly SetupPortal[], one: SetupPortal): SetupPortal[] {
  return portals.flatMap((p) => (p !== one ? [p] : p.count > 1 ? [{ ...p, count: p.count - 1 }] : []));
}

/** Rights as a text: the letters in the order in which they stand in a usual start. */
export function toggleRight(rights: string, letter: string, order: string): string {
  const has = rights.includes(letter);
  const text = [...order].filter((l) => (l === letter ? !has : rights.includes(l))).join('');
  return text || '-';
}

export type IntentState = 'go' | 'blocked' | 'transit';

export interface Intent {
  square: string;
  state: IntentState;
  role: string;
}

/** A declared teleport as the FEN writes it: `a4`, `a4x` when blocked, `a4:q` in transit. */
export function parseIntent(text: string): Intent | null {
  const found = /^([a-z]\d)(x|:([a-z]))?$/i.exec(text);
  if (!found) return null;
  const [, square = '', mark, role = 'q'] = found;
  const state = mark === undefined ? 'go' : mark === 'x' ? 'blocked' : 'transit';
  return { square, state, role: role.toUpperCase() };
}

export function writeIntent(intent: Intent | null): string {
  if (!intent) return '-';
  const marks: Record<IntentState, string> = { go: '', blocked: 'x', transit: `:${intent.role.toLowerCase()}` };
  return intent.square + marks[intent.state];
}
