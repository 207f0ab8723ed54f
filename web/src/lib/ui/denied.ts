/** What the server refused, in the language of the page. */
import { isMessage, t } from '../i18n/index.svelte';

export interface Denial {
  code: string | null;
  field?: string | null;
}

/** The sentence of a refusal, by its code: the server's own sentences are English. */
export function deniedText({ code, field = null }: Denial): string {
  if (code === 'offline') return t('net.offline');
  if (code === 'bad-request' && field !== null) return t('denied.bad-request-field', { field });
  const key = `denied.${code ?? ''}`;
  return isMessage(key) ? t(key) : t('denied.other', { code: code ?? '?' });
}
