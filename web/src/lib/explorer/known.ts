/** What the server has told of positions lately: going back and forth on the board asks nothing. */
import { explore, type Explored } from '../api/archive';
import type { GameRef } from '../api/types';
import type { Mode } from './counts';

/** Games end all the time, so nothing is believed for longer than this, in milliseconds. */
const FRESH = 60_000;
const KEPT = 200;

const known = new Map<string, { answer: Explored; at: number }>();

export function explorerQuery(game: GameRef, modes: readonly Mode[]): string {
  const params = new URLSearchParams();
  if (game.fen !== null) params.set('fen', game.fen);
  if (game.moves.length > 0) params.set('play', game.moves.join(','));
  params.set('modes', modes.join(','));
  return params.toString();
}

export function explored(variant: string, query: string): Explored | null {
  const kept = known.get(`${variant}?${query}`);
  return kept && Date.now() - kept.at < FRESH ? kept.answer : null;
}

export async function exploreOnce(variant: string, query: string, signal: AbortSignal): Promise<Explored> {
  const answer = await explore(variant, new URLSearchParams(query), signal);
  if (known.size >= KEPT) known.clear();
  known.set(`${variant}?${query}`, { answer, at: Date.now() });
  return answer;
}
