/** What editors and analysts ask of the rules and the engine, besides what a game asks. */
import type { AreaId, Color, GameRef, MarkerView, PlacedPiece, Place } from './types';

/** A portal of a set-up; neutral ones can lie on each other. */
export interface SetupPortal {
  owner: Color | null;
  at: Place;
  count: number;
}

/** Everything a FEN tells, field by field. Texts are as in the FEN; lists have an entry an area. */
export interface Setup {
  pieces: PlacedPiece[];
  portals: SetupPortal[];
  turn: Color;
  /** The area due, or null where the game has one area. */
  area: AreaId | null;
  castling: string[];
  ep: string[];
  /** White's and Black's declared teleports, where the game has areas. */
  intents: string[];
  halfmove: string;
  fullmove: string;
}

/** The fields of a FEN that can be at fault. */
export type FenPart =
  | 'text'
  | 'placement'
  | 'pocket'
  | 'side'
  | 'area'
  | 'castling'
  | 'ep'
  | 'portals'
  | 'intents'
  | 'halfmove'
  | 'fullmove';

export interface Problem {
  message: string;
  field: string;
  part?: FenPart;
  code?: string;
  params?: Readonly<Record<string, string>>;
}

export interface JudgedSetup {
  setup: Setup;
  /** In the usual form when nothing is wrong. */
  fen: string;
  problem: Problem | null;
}

/** A move of a game with variations; `parent` is its index in the list. */
export interface TreeMove {
  parent: number | null;
  uci: string;
  san: string;
  turn: Color;
  fullmove: number;
  nags: number[];
  comments: string[];
  before: string[];
}

export interface TreeForm {
  variant: string;
  fen: string | null;
  tags: Record<string, string>;
  comments: string[];
  nodes: TreeMove[];
  result: string;
}

export interface ReadPgn extends TreeForm {
  /** Other games follow in the text. */
  more: boolean;
}

export interface AnalyseRequest extends GameRef {
  lines: number;
  nodes: number;
}

export interface AnalysisLine {
  /** For the side to move; null when it is a mate. */
  scoreCp: number | null;
  mate: number | null;
  pv: string[];
  san: string[];
}

export interface Analysis {
  depth: number;
  nodes: number;
  lines: AnalysisLine[];
}

export interface StudyRules {
  /** @throws RulesError when the text cannot even be shown. */
  readSetup(variant: string, fen: string): JudgedSetup;
  writeSetup(variant: string, setup: Setup): JudgedSetup;
  /** A set-up by chance, or null where the game has one set-up only. */
  randomSetup(variant: string, seed: number): string | null;
  /** @throws RulesError naming line and move. */
  readPgn(text: string): ReadPgn;
  writePgn(tree: TreeForm): string;
  /** A picture of the position: an SVG document. */
  svg(game: GameRef): string;
}

/** An engine that looks into positions. Both ways to stop it make pending requests reject with `SearchCancelled`. */
export interface AnalystApi {
  analyse(request: AnalyseRequest): Promise<Analysis>;
  /** Gives up what is asked; what was found before is kept if nothing is. */
  interrupt(): void;
  /** Lets go of everything. */
  cancel(): void;
}

/** Portals as the board draws them. */
export function portalMarkers(portals: readonly SetupPortal[]): MarkerView[] {
  return portals.map((p) => ({ kind: 'portal', owner: p.owner, at: p.at, to: null, count: p.count }));
}
