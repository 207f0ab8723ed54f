import { describe, expect, it } from 'vitest';
import { refusedEn } from '../../src/lib/i18n/refused/en';
import { refusedEs } from '../../src/lib/i18n/refused/es';
import { refusedRu } from '../../src/lib/i18n/refused/ru';

/** The values that a text asks for. */
const holes = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]))].sort();

describe('what the rules refuse', () => {
  it('is told with the same values in every language', () => {
    for (const [key, text] of Object.entries(refusedEn)) {
      for (const other of [refusedEs, refusedRu]) {
        expect(holes(other[key as keyof typeof refusedEn]), key).toEqual(holes(text));
      }
    }
  });
});
