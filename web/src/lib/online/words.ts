/** What concerns games between people, in words. */
import { SPEEDS, ServerError, type Control, type End, type PlayerInfo, type Speed } from '../api/server';
import type { Color, VariantInfo } from '../api/types';
import { controlText } from '../game/clock';
import { resultLine } from '../game/tell';
import { lang, name, t } from '../i18n/index.svelte';
import type { MessageKey } from '../i18n/messages';
import { ActionRefused } from '../net/connection';
import { deniedText } from '../ui/denied';
import { ruleError } from '../ui/ruleError';

export function controlName(control: Control): string {
  switch (control.kind) {
    case 'live':
      return controlText(control.limit, control.increment);
    case 'days':
      return t('time.days', { n: control.days });
    case 'unlimited':
      return t('time.unlimited');
  }
}

export function speedName(speed: Speed): string {
  return t(`speed.${speed}`);
}

/** Names that are no account's are the server's words; here they are in the reader's language. */
export function playerName(player: Pick<PlayerInfo, 'name' | 'user'> & { level?: number | null }): string {
  if (typeof player.level === 'number') return t('who.computer', { n: player.level });
  return player.user === null ? t('who.anonymous') : player.name;
}

/** "1500?" while a rating is provisional. */
export function ratingText(rating: number | null, provisional: boolean): string {
  return rating === null ? '' : `${rating}${provisional ? '?' : ''}`;
}

export function signed(n: number): string {
  return n < 0 ? `−${-n}` : `+${n}`;
}

/** What a rating is for: a game at a speed. The first game goes by the speed alone. */
export function readPerf(variants: VariantInfo[], perf: string): { info: VariantInfo | null; speed: Speed | null } {
  const cut = perf.lastIndexOf('-');
  const speed = SPEEDS.find((s) => s === perf.slice(cut + 1)) ?? null;
  const info = cut < 0 ? variants[0] : variants.find((v) => v.id === perf.slice(0, cut));
  return { info: info ?? null, speed };
}

export function perfKey(variants: VariantInfo[], id: string, speed: Speed): string {
  return id === variants[0]?.id ? speed : `${id}-${speed}`;
}

export function perfName(variants: VariantInfo[], perf: string): string {
  const { info, speed } = readPerf(variants, perf);
  return info && speed ? `${name(info.names)} · ${speedName(speed)}` : perf;
}

/** How a game ended, in a sentence. */
export function endLine(end: End): string {
  if (end.status === 'aborted') {
    const known = ['aborted', 'noStart', 'otherRules'].includes(end.reason);
    return t((known ? `game.abortedBy.${end.reason}` : 'game.abortedBy.aborted') as MessageKey);
  }
  return resultLine(end);
}

/** How it ended for the person, or for those who watch. */
export function endTitle(end: End, mine: Color | null): string {
  if (end.status === 'aborted') return t('game.aborted');
  if (end.winner === null) return t('result.draw');
  if (mine === null) return t(`result.${end.winner}`);
  return t(end.winner === mine ? 'game.win' : 'game.loss');
}

/** Why it was not done: by the server, by the rules, or by the page itself. */
export function errorText(error: unknown): string {
  if (error instanceof ServerError && error.code === 'http') return t('denied.http', { text: error.message });
  if (error instanceof ServerError || error instanceof ActionRefused) return deniedText(error);
  return ruleError(error) ?? '';
}

export function dateText(at: number): string {
  return new Intl.DateTimeFormat(lang(), { dateStyle: 'medium' }).format(at);
}
