/** What the board says: what to do next, why something was refused, what is being asked for. */
import type { AreaId, GameView, LegalMove, Place, VariantInfo, Why } from '../api/types';
import { pieceName, placeName, turnLine } from '../game/tell';
import { t } from '../i18n/index.svelte';
import { capitalise } from '../i18n/messages';
import type { Gesture, Refusal } from './gestures';
import { isSquare, samePlace } from './place';

export interface Saying {
  info: VariantInfo;
  view: GameView;
  due: AreaId | null;
  /** A move is being decided for a later turn. */
  ahead: boolean;
  why: (from: Place, to: Place) => Why | null;
}

export function hintText(c: Saying, list: readonly LegalMove[], gesture: Gesture, refusal: Refusal | null): string | null {
  if (refusal) return refusalText(c, refusal);
  if (gesture.stage === 'choosing') {
    return t(gesture.by === 'exit' ? 'status.chooseExit' : 'status.chooseRole');
  }
  if (c.ahead) return null;
  const only = list[0];
  if (!only) return null;
  if (list.length === 1 && only.kind === 'pass') return t('status.mustPass');
  if (list.length === 1 && only.kind === 'transfer') return t('status.mustTransfer');
  if (list.every((m) => m.kind === 'place')) return t('status.place');
  return null;
}

function refusalText(c: Saying, r: Refusal): string | null {
  const { info, view } = c;
  const at = r.why === 'nothingToMove' ? r.at : r.to;
  if (c.ahead) {
    if (r.why === 'nothingToMove') return null;
    return t('refusal.ahead', { from: placeName(info, r.from), to: placeName(info, at) });
  }
  if (c.due !== null && isSquare(at) && at.area !== c.due) {
    return t('refusal.notDue', { where: turnLine(info, view) });
  }
  if (r.why === 'nothingToMove') return t('refusal.nothing', { square: placeName(info, at) });
  const piece = view.pieces.find((p) => samePlace(p.at, r.from))?.piece;
  const from = isSquare(r.from) ? placeName(info, r.from) : '';
  const to = placeName(info, at);
  if (!piece) return t('refusal.marker', { from, to });
  const what = t('refusal.move', { piece: capitalise(pieceName(info, piece)), from, to }).replace('  ', ' ');
  const why = isSquare(r.from) && isSquare(at) ? c.why(r.from, at) : null;
  if (!why || why.reason === 'other' || why.reason === 'notDue' || why.reason === 'otherArea') return what;
  const reason = t(`why.${why.reason}`, { at: why.at ? placeName(info, why.at) : '' });
  return `${what} ${reason}`;
}

export function choiceTitle(view: GameView, gesture: Gesture): string {
  if (gesture.stage !== 'choosing') return '';
  if (gesture.by === 'exit') return t('choice.exit');
  if (gesture.by === 'move') return t('choice.move');
  if (!('pocket' in gesture.to)) return t('choice.promotion');
  const own = view.pieces.find((p) => samePlace(p.at, gesture.from));
  return t(gesture.moves.some((m) => m.role === own?.piece.role) ? 'choice.becomes' : 'choice.promotes');
}

/** The words on the button of a move that is not made from a square to a square of one board. */
export function buttonText(info: VariantInfo, move: LegalMove): string {
  if (move.kind === 'pass') return t('action.pass');
  const to = move.to ? placeName(info, move.to) : '';
  return t(move.kind === 'declare' ? 'action.declare' : 'action.transfer', { to });
}
