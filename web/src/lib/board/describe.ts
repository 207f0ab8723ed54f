/** The accessible name of a square: what stands there, what lies there, what may be done there. */
import type { GameView, Lang, MarkerView, Piece, Place, VariantInfo } from '../api/types';
import { pieceName, placeName } from '../game/tell';
import { lang, t } from '../i18n/index.svelte';
import type { Target } from './gestures';
import { isSquare, placeKey } from './place';

export interface Context {
  info: VariantInfo;
  view: GameView;
  links: Map<string, number>;
  targets: Map<string, Target>;
  check: Set<string>;
  picked: string | null;
  decided?: Set<string>;
}

/** What a position holds, by the key of its place: a board asks for each of its squares. */
interface Things {
  pieces: Map<string, Piece>;
  markers: Map<string, MarkerView[]>;
  /** Where declared teleports lead. */
  landings: Set<string>;
}

const known = new WeakMap<GameView, Things>();

function thingsOf(view: GameView): Things {
  const before = known.get(view);
  if (before) return before;
  const markers = new Map<string, MarkerView[]>();
  for (const m of view.markers) {
    const key = placeKey(m.at);
    markers.set(key, [...(markers.get(key) ?? []), m]);
  }
  const things: Things = {
    pieces: new Map(view.pieces.map((p) => [placeKey(p.at), p.piece])),
    markers,
    landings: new Set(view.markers.flatMap((m) => (m.to ? [placeKey(m.to)] : []))),
  };
  known.set(view, things);
  return things;
}

/** Names that were made before, by what they tell: most squares look like the last time one asked. */
interface Names {
  lang: Lang;
  texts: Map<string, string>;
}
const names = new WeakMap<VariantInfo, Names>();
/** More than a long game has. */
const MOST_NAMES = 4000;

export function describeSquare(place: Place, c: Context): string {
  const key = placeKey(place);
  const { pieces, markers, landings } = thingsOf(c.view);
  let told = key;
  const piece = pieces.get(key);
  if (piece) told += piece.color + piece.role;
  for (const m of markers.get(key) ?? []) told += ` ${m.kind} ${m.owner} ${m.count} ${m.to ? placeKey(m.to) : ''}`;
  if (landings.has(key)) told += ' landing';
  const link = c.links.get(key);
  if (link !== undefined) told += ` link ${link}`;
  if (c.check.has(key)) told += ' check';
  if (c.picked === key) told += ' picked';
  if (c.decided?.has(key)) told += ' decided';
  const target = c.targets.get(key);
  if (target) told += ` to ${target.shape}`;

  const now = lang();
  let known = names.get(c.info);
  if (known?.lang !== now || known.texts.size > MOST_NAMES) names.set(c.info, (known = { lang: now, texts: new Map() }));
  let text = known.texts.get(told);
  if (text === undefined) known.texts.set(told, (text = describe(place, c)));
  return text;
}

function describe(place: Place, c: Context): string {
  const key = placeKey(place);
  const { pieces, markers, landings } = thingsOf(c.view);
  const piece = pieces.get(key);
  const parts = [piece ? pieceName(c.info, piece) : t('square.empty')];
  if (c.check.has(key)) parts.push(t('square.check'));
  for (const marker of markers.get(key) ?? []) parts.push(describeMarker(c.info, marker));
  if (landings.has(key)) parts.push(t('square.landing'));
  const link = c.links.get(key);
  if (link !== undefined) parts.push(t('square.link', { n: link }));
  if (c.picked === key) parts.push(t('square.picked'));
  if (c.decided?.has(key)) parts.push(t('square.decided'));
  const target = c.targets.get(key);
  if (target) parts.push(t(`target.${target.shape}`));
  return `${isSquare(place) ? place.square : ''}: ${parts.join(', ')}`;
}

function describeMarker(info: VariantInfo, marker: MarkerView): string {
  const to = marker.to ? placeName(info, marker.to) : '';
  switch (marker.kind) {
    case 'locked':
      return t('square.locked');
    case 'declared':
      return t('square.declared', { to });
    case 'blocked':
      return t('square.blocked', { to });
    case 'portal':
      if (marker.owner) return t('square.ownedPortal', { color: t(`color.${marker.owner}`) });
      return marker.count > 1 ? t('square.portals', { n: marker.count }) : t('square.portal');
  }
}
