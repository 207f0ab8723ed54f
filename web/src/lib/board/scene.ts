/**
 * Pieces and portal tokens with identities, so that the board can move what is there instead of
 * drawing a new picture. The view from the rules is the truth: effects only tell what became what.
 */
import type { Effect, LegalMove, MarkerKind, MarkerView, Piece, PlacedPiece, Place, Color } from '../api/types';
import { isSquare, placeKey, samePlace } from './place';

export interface Actor {
  id: number;
  piece: Piece;
  at: Place;
}

export interface Token {
  id: number;
  kind: MarkerKind;
  owner: Color | null;
  at: Place;
}

export interface Scene {
  actors: Actor[];
  tokens: Token[];
  nextId: number;
}

/** One leg of a journey. A jump goes in here and comes out there; else the way is straight. */
export interface Leg {
  from: Place;
  to: Place;
  jump: boolean;
}

export interface Frame {
  scene: Scene;
  /** Journeys by the id of an actor or token. */
  journeys: Map<number, Leg[]>;
  /** What was not there before. */
  arriving: Set<number>;
  /** What is gone, where it was last; `into` when it collapses into a black hole. */
  leaving: { actor: Actor; into: Place | null }[];
}

export function emptyScene(): Scene {
  return { actors: [], tokens: [], nextId: 1 };
}

/** A still picture: the scene of a view, keeping the identity of what has not moved. */
export function still(before: Scene, pieces: readonly PlacedPiece[], markers: readonly MarkerView[]): Frame {
  return { scene: reconcile(before, pieces, markers), journeys: new Map(), arriving: new Set(), leaving: [] };
}

/** The scene after a move, and how each thing got where it is. */
export function advance(
  before: Scene,
  effects: readonly Effect[],
  move: LegalMove | null,
  pieces: readonly PlacedPiece[],
  markers: readonly MarkerView[],
): Frame {
  const actors = before.actors.map((a) => ({ ...a }));
  const tokens = before.tokens.map((t) => ({ ...t }));
  let nextId = before.nextId;
  const journeys = new Map<number, Leg[]>();
  const arriving = new Set<number>();
  const gone: Actor[] = [];
  const collapse = effects.find((e) => e.type === 'markerAdd' && e.marker.kind === 'locked');
  const into = collapse?.type === 'markerAdd' ? collapse.at : null;
  // Effects come in order, but an exchange of two may name both moves before either is undone:
  // what has moved already is not moved again from the square it came to.
  const moved = new Set<number>();

  const find = (piece: Piece, at: Place) => {
    const here = actors.filter((a) => samePlace(a.at, at) && samePiece(a.piece, piece));
    return here.find((a) => !moved.has(a.id)) ?? here[0];
  };
  for (const effect of effects) {
    switch (effect.type) {
      case 'remove': {
        const actor = find(effect.piece, effect.at);
        if (!actor) break;
        actors.splice(actors.indexOf(actor), 1);
        // What changes in the pocket vanishes, for the eye, from the square it came from.
        gone.push(isSquare(actor.at) ? actor : { ...actor, at: journeys.get(actor.id)?.[0]?.from ?? actor.at });
        break;
      }
      case 'add':
        arriving.add(nextId);
        actors.push({ id: nextId++, piece: effect.piece, at: effect.at });
        break;
      case 'move': {
        const actor = find(effect.piece, effect.from);
        if (!actor) break;
        const legs = journeys.get(actor.id) ?? [];
        legs.push(...legsOf(effect.from, effect.to, move, before.tokens));
        journeys.set(actor.id, legs);
        actor.at = effect.to;
        moved.add(actor.id);
        break;
      }
      case 'markerMove': {
        const token = tokens.find(
          (t) => samePlace(t.at, effect.from) && t.kind === effect.marker.kind && t.owner === effect.marker.owner,
        );
        if (!token) break;
        journeys.set(token.id, [{ from: effect.from, to: effect.to, jump: false }]);
        token.at = effect.to;
        break;
      }
      case 'markerAdd':
      case 'markerRemove':
        // The view has the markers; only their journeys need identities.
        break;
    }
  }
  const scene = reconcile({ actors, tokens, nextId }, pieces, markers);
  return {
    scene,
    journeys,
    arriving,
    leaving: gone
      .filter((a) => isSquare(a.at))
      .map((actor) => ({ actor, into })),
  };
}

/** Squares to mark as those of the last move. */
export function touched(effects: readonly Effect[]): Set<string> {
  const keys = new Set<string>();
  for (const e of effects) {
    if (e.type === 'move' || e.type === 'markerMove') {
      keys.add(placeKey(e.from));
      keys.add(placeKey(e.to));
    } else if (e.type === 'add' || e.type === 'markerAdd') {
      keys.add(placeKey(e.at));
    }
  }
  return keys;
}

function legsOf(from: Place, to: Place, move: LegalMove | null, tokens: readonly Token[]): Leg[] {
  if (!isSquare(from) || !isSquare(to)) return [{ from, to, jump: true }];
  const mine = move && samePlace(move.from, from) && move.mover === 'piece';
  if (mine && move.kind === 'enter' && move.to && samePlace(move.exit, to)) {
    return [
      { from, to: move.to, jump: false },
      { from: move.to, to, jump: true },
    ];
  }
  if (mine && move.kind === 'travel' && move.via) {
    const via = move.via;
    const other = tokens.find((t) => t.kind === 'portal' && !samePlace(t.at, via))?.at;
    if (other) {
      const legs: Leg[] = [
        { from, to: via, jump: false },
        { from: via, to: other, jump: true },
      ];
      if (!samePlace(other, to)) legs.push({ from: other, to, jump: false });
      return legs;
    }
  }
  const jump = from.area !== to.area || move?.kind === 'transfer' || move?.mover === 'marker';
  return [{ from, to, jump }];
}

/** Makes a scene agree with the view, keeping every identity that can be kept. */
function reconcile(scene: Scene, pieces: readonly PlacedPiece[], markers: readonly MarkerView[]): Scene {
  let nextId = scene.nextId;
  const actors = match(
    pieces,
    scene.actors,
    (p) => `${p.piece.color}${p.piece.role}@${placeKey(p.at)}`,
    (p, known) => ({ id: known?.id ?? nextId++, piece: p.piece, at: p.at }),
  );
  const wanted = markers
    .filter((m) => m.kind === 'portal' || m.kind === 'locked')
    .flatMap((m) => Array.from({ length: m.count }, () => m));
  const tokens = match(
    wanted,
    scene.tokens,
    (m) => `${m.kind}${m.owner}@${placeKey(m.at)}`,
    (m, known) => ({ id: known?.id ?? nextId++, kind: m.kind, owner: m.owner, at: m.at }),
  );
  return { actors, tokens, nextId };
}

function match<W, K extends { id: number }>(
  wanted: readonly W[],
  known: readonly K[],
  key: (item: W | K) => string,
  make: (item: W, known: K | undefined) => K,
): K[] {
  const free = new Map<string, K[]>();
  for (const k of known) {
    const list = free.get(key(k));
    if (list) list.push(k);
    else free.set(key(k), [k]);
  }
  // By identity, so that keyed lists keep their order and nodes are not moved about.
  return wanted.map((w) => make(w, free.get(key(w))?.shift())).sort((a, b) => a.id - b.id);
}

function samePiece(a: Piece, b: Piece): boolean {
  return a.color === b.color && a.role === b.role;
}
