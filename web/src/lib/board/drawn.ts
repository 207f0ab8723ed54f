/**
 * What a board draws, thing by thing, as plain values. A thing that looks as it did is the very object that it was, so that
 * a gesture or a move costs what it changes and not a board full of attributes.
 */
import type { Color, MarkerKind, RoleInfo } from '../api/types';
import type { BoardGeometry, Cell } from './geometry';
import type { Target, TargetShape } from './gestures';
import type { BoardModel } from './model';
import { isSquare, placeKey, type SquarePlace } from './place';

export interface DrawnSquare {
  square: string;
  key: string;
  classes: string;
  style: string;
  shape: TargetShape | undefined;
  pickable: true | undefined;
  premovable: true | undefined;
  picked: boolean;
  label: string | undefined;
  tabindex: 0 | -1 | undefined;
}

export interface DrawnPiece {
  id: number;
  role: RoleInfo | undefined;
  color: Color;
  classes: string;
  style: string;
}

export interface DrawnToken {
  id: number;
  kind: MarkerKind;
  owner: Color | null;
  flat: boolean;
  glow: boolean;
  classes: string;
  style: string;
}

/** Keeps what looks the same from one picture to the next. */
export class Kept<T extends object> {
  #before = new Map<string | number, T>();

  /** The list, with each thing that looks as before replaced by the one of before. */
  keep(next: readonly T[], key: (thing: T) => string | number): T[] {
    const kept = new Map<string | number, T>();
    const list = next.map((thing) => {
      const k = key(thing);
      const known = this.#before.get(k);
      const one = known && looksSame(known, thing) ? known : thing;
      kept.set(k, one);
      return one;
    });
    this.#before = kept;
    return list;
  }
}

function looksSame<T extends object>(a: T, b: T): boolean {
  for (const k in a) if (a[k] !== b[k]) return false;
  return true;
}

/** By `translate`, in its own size: what moves on the board is no shift of the layout. */
export function boxStyle(x: number, y: number): string {
  return `translate:${x * 100}% ${y * 100}%`;
}

/** By `left` and `top`, for what stays where it is drawn: it needs no layer of its own. */
export function spotStyle(geometry: BoardGeometry, x: number, y: number): string {
  return `left:${(x / geometry.width) * 100}%;top:${(y / geometry.height) * 100}%`;
}

/** What of a square changes with nothing but the side that sits below. */
export interface FixedSquare {
  cell: Cell;
  key: string;
  style: string;
}

export function fixedSquares(geometry: BoardGeometry, cells: readonly Cell[]): FixedSquare[] {
  return cells.map((cell) => ({
    cell,
    key: placeKey(cell.place),
    style: spotStyle(geometry, cell.x, cell.y),
  }));
}

export interface Squares {
  fixed: readonly FixedSquare[];
  model: BoardModel;
  /** Nothing can be activated in a picture, and nothing has a name. */
  picture: boolean;
  active: boolean;
  /** The square that the Tab key comes to. */
  tab: string | null;
}

export function drawnSquares({ fixed, model, picture, active, tab }: Squares): DrawnSquare[] {
  return fixed.map(({ cell, key, style }) => {
    const target = model.targets.get(key);
    const picked = model.picked?.key === key;
    const pickable = model.pickable.has(key);
    let classes = cell.light ? 'square light' : 'square';
    if (model.lastMove.has(key)) classes += ' last';
    if (picked) classes += ' picked';
    if (model.check.has(key)) classes += ' check';
    if (target && model.over === key) classes += ' over';
    if (model.decided?.has(key)) classes += ' decided';
    return {
      square: cell.square,
      key,
      classes,
      style,
      shape: target?.shape,
      pickable: (!model.ahead && pickable) || undefined,
      premovable: (model.ahead && pickable) || undefined,
      picked,
      label: picture ? undefined : model.label(cell.place),
      tabindex: active ? (cell.square === tab ? 0 : -1) : undefined,
    };
  });
}

export function drawnPieces(geometry: BoardGeometry, model: BoardModel, roles: Map<string, RoleInfo>): DrawnPiece[] {
  const { picked } = model;
  const found: DrawnPiece[] = [];
  for (const { id, piece, at } of model.frame.scene.actors) {
    if (!geometry.holds(at)) continue;
    const held = picked?.key === placeKey(at);
    const shown = shownAt(model, at);
    let classes = 'item actor';
    if (held && model.dragging && picked.mover === 'piece') classes += ' carried';
    if (held && picked.mover === 'marker') classes += ' under';
    if (shown !== at) classes += ' preview';
    const { x, y } = geometry.position(shown.square, model.bottom);
    found.push({ id, role: roles.get(piece.role), color: piece.color, classes, style: boxStyle(x, y) });
  }
  return found;
}

export function drawnTokens(geometry: BoardGeometry, model: BoardModel): DrawnToken[] {
  const { picked } = model;
  /** While portals are to be chosen from, those that cannot be are drawn flat. */
  const choosing = [...model.targets.values()].some((g: Target) => g.shape === 'enter' || g.shape === 'exit');
  const found: DrawnToken[] = [];
  for (const { id, kind, owner, at } of model.frame.scene.tokens) {
    if (!geometry.holds(at)) continue;
    const key = placeKey(at);
    const carried = model.dragging && picked?.mover === 'marker' && picked.key === key;
    const target = model.targets.has(key);
    const { x, y } = geometry.position(at.square, model.bottom);
    const classes = carried ? 'item token carried' : 'item token';
    found.push({ id, kind, owner, flat: choosing && !target, glow: choosing && target, classes, style: boxStyle(x, y) });
  }
  return found;
}

/** Where a piece is drawn: while two are to change places, in the other's. */
function shownAt(model: BoardModel, place: SquarePlace): SquarePlace {
  if (!model.preview) return place;
  const { from, to } = model.preview;
  const key = placeKey(place);
  const other = key === from ? to : key === to ? from : null;
  const square = other?.slice(2);
  const shown = square && other?.startsWith(`${place.area}:`) ? { area: place.area, square } : place;
  return isSquare(shown) ? shown : place;
}
