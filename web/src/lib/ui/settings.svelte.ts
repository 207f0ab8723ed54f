/** How the board looks, sounds and behaves, kept in the browser. */
import { recall, remember } from './storage';

export const BOARD_THEMES = ['sage', 'wood', 'sea', 'stone', 'contrast'] as const;
export const PIECE_SETS = ['figures', 'letters'] as const;

export type BoardTheme = (typeof BOARD_THEMES)[number];
export type PieceSet = (typeof PIECE_SETS)[number];

export interface Settings {
  board: BoardTheme;
  pieces: PieceSet;
  sound: boolean;
  coordinates: boolean;
  targets: boolean;
  animation: boolean;
  /** The position and the moves as text, beside the board. */
  text: boolean;
}

const DEFAULTS: Settings = {
  board: 'sage',
  pieces: 'figures',
  sound: true,
  coordinates: true,
  targets: true,
  animation: true,
  text: false,
};

const KEY = 'settings';
let current: Settings = $state.raw(DEFAULTS);

export function startSettings(): void {
  current = parseSettings(recall(KEY));
  show();
}

export function settings(): Settings {
  return current;
}

export function change(part: Partial<Settings>): void {
  current = { ...current, ...part };
  remember(KEY, JSON.stringify(current));
  show();
}

/** What was stored, as far as it can be understood. */
export function parseSettings(text: string | null): Settings {
  let stored: unknown = null;
  try {
    stored = text === null ? null : JSON.parse(text);
  } catch {
    // Unreadable is as good as absent.
  }
  const from = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const flag = (key: 'sound' | 'coordinates' | 'targets' | 'animation' | 'text') => {
    const value = from[key];
    return typeof value === 'boolean' ? value : DEFAULTS[key];
  };
  return {
    board: BOARD_THEMES.find((b) => b === from.board) ?? DEFAULTS.board,
    pieces: PIECE_SETS.find((p) => p === from.pieces) ?? DEFAULTS.pieces,
    sound: flag('sound'),
    coordinates: flag('coordinates'),
    targets: flag('targets'),
    animation: flag('animation'),
    text: flag('text'),
  };
}

function show(): void {
  document.documentElement.dataset.squares = current.board;
}
