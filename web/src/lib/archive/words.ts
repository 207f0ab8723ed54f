/** Games of the archive in words, in the language of the page. */
import type { ArchivedGame, GamePlayer } from '../api/archive';
import { ServerRefusal } from '../api/archive';
import type { Color } from '../api/types';
import { lang, t } from '../i18n/index.svelte';
import { deniedText } from '../ui/denied';

export function playerName(player: GamePlayer | undefined): string {
  if (player?.aiLevel !== undefined) return t('archive.computer', { n: player.aiLevel });
  const name = player?.user?.name ?? player?.name;
  return !name || name === 'Anonymous' ? t('archive.anonymous') : name;
}

/** "1–0", "½–½", or a word for a game without a result. */
export function score(game: Pick<ArchivedGame, 'winner' | 'status'>): string {
  if (game.winner === 'white') return '1–0';
  if (game.winner === 'black') return '0–1';
  if (game.status === 'aborted') return t('archive.aborted');
  if (game.status === 'started' || game.status === 'unknownFinish') return t('archive.unknown');
  return '½–½';
}

export function day(millis: number): string {
  return new Date(millis).toLocaleDateString(lang(), { year: 'numeric', month: 'short', day: 'numeric' });
}

/** Why the server did not do it. */
export function refusal(error: unknown): string {
  if (!(error instanceof ServerRefusal)) return String(error);
  if (error.status === 0 || error.status >= 502) return t('server.away');
  if (error.status === 401) return t('server.login');
  if (error.status === 429) return t('server.tooOften');
  if (error.code !== null) return deniedText(error);
  return t('denied.http', { text: error.message });
}

export const SIDES: readonly Color[] = ['white', 'black'];
