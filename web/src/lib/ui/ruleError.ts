/** What the rules refused, in the language of the page. */
import type { Problem } from '../api/study';
import { RulesError } from '../api/types';
import { isMessage, t } from '../i18n/index.svelte';

/** A sentence about anything that was thrown; null for nothing. */
export function ruleError(error: unknown): string | null {
  if (error === null || error === undefined) return null;
  if (error instanceof RulesError) return refusedText(error);
  return error instanceof Error ? error.message : String(error);
}

/** The sentence of a refusal. One without a code of its own is told in English, as the rules tell it. */
export function refusedText(refused: Pick<Problem, 'message' | 'code' | 'params'>): string {
  const key = `refused.${refused.code ?? ''}`;
  if (!isMessage(key)) return refused.message.replace(/^FEN field '[^']*': /, '');
  const { color, area, line, move, ...rest } = refused.params ?? {};
  const params: Record<string, string> = rest;
  if (color === 'white' || color === 'black') params.color = t(`color.${color}`);
  const named = area !== undefined && t(key).includes('{area}');
  let text = t(key, named ? { ...params, area } : params);
  if (area !== undefined && !named) text = t('refused.inArea', { area, text });
  if (line === undefined) return text;
  return move === undefined ? t('refused.inLine', { line, text }) : t('refused.inMove', { line, move, text });
}
