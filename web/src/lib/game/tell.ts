/** Moves, places and positions in words, in the language of the page. */
import type { Color, GameView, LegalMove, Piece, Place, VariantInfo } from '../api/types';
import { isSquare, samePlace } from '../board/place';
import { name, t } from '../i18n/index.svelte';
import { capitalise, type MessageKey } from '../i18n/messages';
import type { Played } from './table.svelte';

export function roleName(info: VariantInfo, letter: string): string {
  const role = info.roles.find((r) => r.letter === letter);
  return role ? name(role.names) : letter;
}

/** "white knight", or as the language has it. */
export function pieceName(info: VariantInfo, piece: Piece): string {
  return t('piece.of', {
    color: t(`color.${piece.color}`).toLocaleLowerCase(),
    role: roleName(info, piece.role).toLocaleLowerCase(),
  });
}

/** "e4", with the board where there are two. */
export function placeName(info: VariantInfo, place: Place): string {
  if (isSquare(place)) {
    return info.boards.length > 1 ? `${place.square} (${place.area})` : place.square;
  }
  if ('pocket' in place) return t('pocket.name', { color: t(`color.${place.pocket}`) });
  return '';
}

/** The files of an area on a divided board, "a–d". */
export function areaRange(info: VariantInfo, area: string): string {
  const squares = info.areas.find((a) => a.id === area)?.squares ?? [];
  const files = squares.map((s) => s.charAt(0)).sort();
  return files.length > 0 ? `${files[0]}–${files[files.length - 1]}` : area;
}

/** Who has to move and where. */
export function turnLine(info: VariantInfo, view: GameView): string {
  const color = t(`color.${view.turn}`);
  if (view.area === null) return t('status.turn', { color });
  return info.boards.length > 1
    ? t('status.turnArea', { color, area: view.area })
    : t('status.turnSquares', { color, range: areaRange(info, view.area) });
}

/** How a position stands: how the game ended, or whose turn it is, and whether a king is in check. */
export function standing(info: VariantInfo, view: GameView): string {
  if (view.outcome) return resultLine(view.outcome);
  const turn = turnLine(info, view);
  return view.check.length > 0 ? `${t('status.check', { color: t(`color.${view.turn}`) })} ${turn}` : turn;
}

/** A move in a sentence, "White: Knight b1 to c3." */
export function tellMove(info: VariantInfo, played: Played): string {
  const { move, before } = played;
  const color = t(`color.${before.turn}`);
  if (move.kind === 'pass') return t('told.pass', { color });
  const key = tellKey(move);
  const text = t(key, {
    color,
    piece: capitalise(pieceRole(info, before, move.from)),
    from: move.from ? placeName(info, move.from) : '',
    to: move.to ? placeName(info, move.to) : '',
    via: move.via ? placeName(info, move.via) : '',
    exit: move.exit ? placeName(info, move.exit) : '',
    other: pieceRole(info, before, move.to),
    role: roleName(info, move.role ?? pieceLetter(before, move.from)).toLocaleLowerCase(),
  });
  if (move.kind === 'shift') return `${text} ${tellConsequence(info, played)}`.trim();
  return key === 'told.place' ? text : t('told.by', { color, what: capitalise(text) });
}

/** What a portal does to what it comes upon. */
function tellConsequence(info: VariantInfo, { move, before }: Played): string {
  const to = move.to ? placeName(info, move.to) : '';
  const portals = before.markers.filter((m) => m.kind === 'portal');
  if (portals.some((m) => samePlace(m.at, move.to))) return t('told.blackHole', { to });
  if (!before.pieces.some((p) => samePlace(p.at, move.to))) return '';
  const out = portals.find((m) => !samePlace(m.at, move.from));
  if (!out) return '';
  const other = capitalise(pieceRole(info, before, move.to));
  return t('told.sent', { other, to, exit: placeName(info, out.at) });
}

function tellKey(move: LegalMove): MessageKey {
  const takes = move.captures.length > 0;
  switch (move.kind) {
    case 'normal':
      return takes ? 'told.capture' : 'told.normal';
    case 'travel':
      if (move.role) return 'told.promotion';
      return takes ? 'told.travelCapture' : 'told.travel';
    case 'transfer':
      if (move.from && !isSquare(move.from)) return 'told.land';
      return takes ? 'told.transferCapture' : 'told.transfer';
    default:
      return `told.${move.kind}`;
  }
}

function pieceLetter(view: GameView, at: Place | null): string {
  return view.pieces.find((p) => samePlace(p.at, at))?.piece.role ?? '';
}

function pieceRole(info: VariantInfo, view: GameView, at: Place | null): string {
  return roleName(info, pieceLetter(view, at)).toLocaleLowerCase();
}

/** "Checkmate" and who won. */
export function resultLine(outcome: { winner: Color | null; reason: string }): string {
  return t('result.line', {
    result: t(outcome.winner ? `result.${outcome.winner}` : 'result.draw'),
    reason: t(`reason.${outcome.reason}` as MessageKey),
  });
}
