/**
 * What a page keeps with its own entry in the browser's history: it is there again after a reload and after Back, and nowhere
 * else. A new visit, also to the same address, is a new entry and begins with nothing.
 */
import { untrack } from 'svelte';
import { visits } from '../router.svelte';

/** To be made while a page is made. */
export class Entry {
  readonly #kind: string;
  readonly #version: number;
  readonly #visit = untrack(visits);

  constructor(kind: string, version: number) {
    this.#kind = kind;
    this.#version = version;
  }

  /** What was kept here; null for nothing, or for what another version of the page has kept. */
  recall(): unknown {
    const state = history.state as Partial<Record<string, { version?: unknown; value?: unknown }>> | null;
    const kept = state?.[this.#kind];
    return kept?.version === this.#version ? (kept.value ?? null) : null;
  }

  /** Keeps a plain value, and shows an address for it. Another entry is never written to. */
  keep(value: object | null, address: string | null = null): void {
    if (untrack(visits) !== this.#visit) return;
    const state = value && { [this.#kind]: { version: this.#version, value } };
    try {
      history.replaceState(state, '', address === null ? location.href : withLang(address));
    } catch {
      // Too often or too much for this browser: what was kept before stays.
    }
  }
}

/** A language asked for by the address goes on being asked for. */
function withLang(address: string): string {
  const lang = new URLSearchParams(location.search).get('lang');
  return lang === null ? address : `${address}${address.includes('?') ? '&' : '?'}lang=${encodeURIComponent(lang)}`;
}
