/**
 * What the rules crate tells the client. The client knows no rule: it draws these and sends back
 * the `uci` of one of the legal moves. The JSON form is described in docs/web.md.
 */
import type { AnalystApi, StudyRules } from './study';

export type Color = 'white' | 'black';
export type AreaId = 'A' | 'B';
export type Lang = 'en' | 'es' | 'ru';

/** A spot something can be at. */
export type Place =
  | { area: AreaId; square: string }
  | { pocket: Color }
  | { transit: Color }
  | { hand: Color };

export interface Piece {
  color: Color;
  /** Upper-case letter, a key of `VariantInfo.roles`. */
  role: string;
}

export type Shape = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king' | 'nightrider';
export type Badge = 'knight' | 'nightrider' | 'step';
export type Names = Record<Lang, string>;

export interface RoleInfo {
  letter: string;
  names: Names;
  betza: string;
  value: number;
  /** The class within which pieces may change into each other, where a game has such. */
  class?: number | null;
  shape: Shape;
  badges: Badge[];
}

export interface BoardInfo {
  id: string;
  files: number;
  ranks: number;
  /** Files with a gap to their right. */
  dividers: string[];
}

export interface AreaInfo {
  id: AreaId;
  board: string;
  squares: string[];
}

export type MarkerKind = 'portal' | 'locked' | 'declared' | 'blocked';

export interface VariantInfo {
  id: string;
  names: Names;
  summary: Names;
  boards: BoardInfo[];
  areas: AreaInfo[];
  roles: RoleInfo[];
  markers: { kind: MarkerKind; owner: Color | null }[];
  /** Places joined for good, such as the fixed portals of two boards. */
  links: [Place, Place][];
  pocket: boolean;
  alternating: boolean;
  castling: boolean;
  startFen: string;
  moveKinds: MoveKind[];
}

export interface PlacedPiece {
  piece: Piece;
  at: Place;
}

export interface MarkerView {
  kind: MarkerKind;
  owner: Color | null;
  at: Place;
  /** Where a declared teleport will go. */
  to: Place | null;
  count: number;
}

export type MoveKind =
  | 'normal'
  | 'promotion'
  | 'enPassant'
  | 'castle'
  | 'swap'
  | 'pocket'
  | 'drop'
  | 'enter'
  | 'travel'
  | 'place'
  | 'shift'
  | 'declare'
  | 'transfer'
  | 'pass';

export type Mover = 'piece' | 'marker';

export interface LegalMove {
  uci: string;
  san: string;
  kind: MoveKind;
  mover: Mover | null;
  /** The two gestures: pick up at `from`, release at `to`. Both null for a pass. */
  from: Place | null;
  to: Place | null;
  via: Place | null;
  exit: Place | null;
  role: string | null;
  captures: Place[];
  check: boolean;
  /** What it would do, where that can be asked for. */
  effects?: readonly Effect[];
}

export interface MarkerRef {
  kind: MarkerKind;
  owner: Color | null;
}

export type Effect =
  | { type: 'remove'; piece: Piece; at: Place }
  | { type: 'add'; piece: Piece; at: Place }
  | { type: 'move'; piece: Piece; from: Place; to: Place }
  | { type: 'markerMove'; marker: MarkerRef; from: Place; to: Place }
  | { type: 'markerAdd'; marker: MarkerRef; at: Place }
  | { type: 'markerRemove'; marker: MarkerRef; at: Place };

export type OutcomeReason =
  | 'checkmate'
  | 'stalemate'
  | 'kingDestroyed'
  | 'goalReached'
  | 'insufficientMaterial'
  | 'fiftyMoves'
  | 'seventyFiveMoves'
  | 'threefoldRepetition'
  | 'fivefoldRepetition'
  | 'resignation';

export type Claim = 'threefoldRepetition' | 'fiftyMoves';

export interface Outcome {
  winner: Color | null;
  reason: OutcomeReason;
}

export interface HistoryEntry {
  uci: string;
  san: string;
  turn: Color;
  fullmove: number;
  effects: Effect[];
  fen: string;
}

export interface GameView {
  variant: string;
  startFen: string;
  fen: string;
  turn: Color;
  /** The area due, or null where the game has one area. */
  area: AreaId | null;
  ply: number;
  fullmove: number;
  pieces: PlacedPiece[];
  markers: MarkerView[];
  check: Place[];
  legal: LegalMove[];
  outcome: Outcome | null;
  claimable: Claim | null;
  history: HistoryEntry[];
}

export type WhyNot =
  | 'shape'
  | 'piece'
  | 'portalBetween'
  | 'portal'
  | 'own'
  | 'noCapture'
  | 'castle'
  | 'attacked'
  | 'check'
  | 'exposes'
  | 'otherArea'
  | 'notDue'
  | 'other';

/** Why a move that was tried is not legal, and the place that is in its way. */
export interface Why {
  reason: WhyNot;
  at: Place | null;
}

export interface SearchResult {
  uci: string;
  scoreCp: number | null;
  mate: number | null;
  depth: number;
  nodes: number;
  pv: string[];
}

/** A game as it is sent to the rules: everything is replayed from the start position. */
export interface GameRef {
  variant: string;
  fen: string | null;
  moves: string[];
}

export interface SearchRequest extends GameRef {
  level: number;
  millis: number | null;
  seed: number;
}

/** The rules, as the pages see them. */
export interface RulesApi extends StudyRules {
  variants(): VariantInfo[];
  /** @throws RulesError naming the field that was wrong. */
  view(game: GameRef): GameView;
  /** SAN or UCI text to UCI. @throws RulesError */
  parse(game: GameRef, text: string): string;
  pgn(game: GameRef, tags: Record<string, string>): string;
  /** Every move that can become legal at the next turn of the side that waits. */
  premoves(game: GameRef): LegalMove[];
  /** Why the piece at `from` may not go to `to`; both are squares. */
  why(game: GameRef, from: Place, to: Place): Why;
}

/** The computer player. `cancel` makes pending searches reject with `SearchCancelled`. */
export interface EngineApi {
  search(request: SearchRequest): Promise<SearchResult>;
  cancel(): void;
}

/** A request that the rules refused. `field` names what was wrong, e.g. "fen". */
export class RulesError extends Error {
  constructor(
    message: string,
    readonly field: string | null,
    /** The field of the FEN at fault, if it is one. */
    readonly part: string | null = null,
    /** Why, for a sentence in the language of the page; empty where there is but the English one. */
    readonly code = '',
    readonly params: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'RulesError';
  }
}

export class SearchCancelled extends Error {
  constructor() {
    super('The search was cancelled.');
    this.name = 'SearchCancelled';
  }
}

/** What the app is mounted with, so that tests can mount it with something else. */
export interface Services {
  loadRules(): Promise<RulesApi>;
  createEngine(): EngineApi;
  createAnalyst(): AnalystApi;
}
