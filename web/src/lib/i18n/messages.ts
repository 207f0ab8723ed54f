/** Languages, and how a text is filled in. Free of the browser, so that tests can use it; the tables are in files of their own. */
import type { Lang } from '../api/types';

export type { MessageKey, Messages } from './en';
export type Params = Record<string, string | number>;

export const LANGUAGES: { id: Lang; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'es', name: 'Español' },
  { id: 'ru', name: 'Русский' },
];

export function isLang(text: string | null | undefined): text is Lang {
  return text === 'en' || text === 'es' || text === 'ru';
}

export function isMessage(key: string): key is MessageKey {
  return Object.hasOwn(en, key);
}

/** Fills `{name}` in. An unknown name stays as it is, so that it is seen. */
export function fill(text: string, params: Params = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

/** First letter in upper case, the rest as it is. */
export function capitalise(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** The language of a page: the address first, then what was chosen before, then the browser's. */
export function pickLang(
  search: string,
  stored: string | null,
  preferred: readonly string[],
): Lang {
  const asked = new URLSearchParams(search).get('lang');
  if (isLang(asked)) return asked;
  if (isLang(stored)) return stored;
  for (const tag of preferred) {
    const base = tag.slice(0, 2).toLowerCase();
    if (isLang(base)) return base;
  }
  return 'en';
}
