/** The language in use, and texts in it. Of the tables only English comes with the page; another is fetched when it is used. */
import type { Lang, Names } from '../api/types';
import { recall, remember } from '../ui/storage';
import { en } from './en';
import { fill, pickLang, type MessageKey, type Messages, type Params } from './messages';

const LATER: Record<Exclude<Lang, 'en'>, () => Promise<Messages>> = {
  es: async () => (await import('./es')).es,
  ru: async () => (await import('./ru')).ru,
};

let current: Lang = $state('en');
let texts: Messages = $state.raw(en);
/** What was asked for last: a table that comes later than the next wish is not used. */
let wished: Lang = 'en';

export function startLang(): Promise<void> {
  return use(pickLang(location.search, recall('lang'), navigator.languages));
}

export function lang(): Lang {
  return current;
}

export function setLang(next: Lang): void {
  remember('lang', next);
  void use(next);
}

/** Without the table, as without a network at the first visit, the language stays what it was. */
async function use(next: Lang): Promise<void> {
  wished = next;
  let table: Messages = en;
  try {
    if (next !== 'en') table = await LATER[next]();
  } catch {
    return;
  }
  if (wished !== next) return;
  current = next;
  texts = table;
  document.documentElement.lang = next;
}

/** Whether there is such a text. */
export function isMessage(key: string): key is MessageKey {
  return Object.hasOwn(en, key);
}

/** A text of the interface. */
export function t(key: MessageKey, params?: Params): string {
  return fill(texts[key], params);
}

/** One of the names that the rules carry in three languages. */
export function name(names: Names): string {
  return names[current];
}
