/** The language in use, and texts in it. */
import type { Lang, Names } from '../api/types';
import { recall, remember } from '../ui/storage';
import { message, pickLang, type MessageKey, type Params } from './messages';

let current: Lang = $state('en');

export function startLang(): void {
  current = pickLang(location.search, recall('lang'), navigator.languages);
  document.documentElement.lang = current;
}

export function lang(): Lang {
  return current;
}

export function setLang(next: Lang): void {
  current = next;
  remember('lang', next);
  document.documentElement.lang = next;
}

/** A text of the interface. */
export function t(key: MessageKey, params?: Params): string {
  return message(current, key, params);
}

/** One of the names that the rules carry in three languages. */
export function name(names: Names): string {
  return names[current];
}
