/** The accessible name of a square: what stands there, what lies there, what may be done there. */
import type { GameView, MarkerView, Place, VariantInfo } from '../api/types';
import { pieceName, placeName } from '../game/tell';
import { t } from '../i18n/index.svelte';
import type { Target } from './gestures';
import { isSquare, placeKey, samePlace } from './place';

export interface Context {
  info: VariantInfo;
  view: GameView;
  links: Map<string, number>;
  targets: Map<string, Target>;
  check: Set<string>;
  picked: string | null;
  decided: Set<string>;
}

export function describeSquare(place: Place, c: Context): string {
  const key = placeKey(place);
  const placed = c.view.pieces.find((p) => samePlace(p.at, place));
  const parts = [placed ? pieceName(c.info, placed.piece) : t('square.empty')];
  if (c.check.has(key)) parts.push(t('square.check'));
  for (const marker of c.view.markers) {
    if (samePlace(marker.at, place)) parts.push(describeMarker(c.info, marker));
    else if (samePlace(marker.to, place)) parts.push(t('square.landing'));
  }
  const link = c.links.get(key);
  if (link !== undefined) parts.push(t('square.link', { n: link }));
  if (c.picked === key) parts.push(t('square.picked'));
  if (c.decided.has(key)) parts.push(t('square.decided'));
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
