import { describe, expect, it } from 'vitest';
import { en, type MessageKey } from '../../src/lib/i18n/en';
import { es } from '../../src/lib/i18n/es';
import { fill, pickLang } from '../../src/lib/i18n/messages';
import { ru } from '../../src/lib/i18n/ru';
import { rowsOf } from '../../src/lib/ui/moves';
import type { HistoryEntry } from '../../src/lib/api/types';

const MESSAGES = { en, es, ru };
const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();

describe('every language', () => {
  for (const [lang, table] of Object.entries(MESSAGES)) {
    it(`${lang} has every text, and no other`, () => {
      expect(Object.keys(table).sort()).toEqual(Object.keys(en).sort());
      expect(Object.entries(table).filter(([, text]) => text.trim() === '')).toEqual([]);
    });

    it(`${lang} fills in nothing that English does not`, () => {
      for (const [key, text] of Object.entries(table)) {
        const known = new Set(holes(en[key as MessageKey]));
        expect(holes(text).filter((h) => !known.has(h)), key).toEqual([]);
      }
    });
  }
});

describe('texts', () => {
  it('are filled in', () => {
    expect(fill(en['told.normal'], { piece: 'Knight', from: 'b1', to: 'c3' })).toBe('Knight b1 to c3.');
    expect(fill('{a} {b}', { a: 1 })).toBe('1 {b}');
  });

  it('come in the language of the address, of the last visit, of the browser, or in English', () => {
    expect(pickLang('?lang=ru', 'es', ['en'])).toBe('ru');
    expect(pickLang('?lang=xx', 'es', ['en'])).toBe('es');
    expect(pickLang('', null, ['fr-FR', 'es-MX'])).toBe('es');
    expect(pickLang('', null, ['fr'])).toBe('en');
  });
});

describe('the move list', () => {
  const entry = (turn: HistoryEntry['turn'], fullmove: number, san: string): HistoryEntry => ({
    uci: san,
    san,
    turn,
    fullmove,
    effects: [],
    fen: '',
  });

  it('has a row for each full move', () => {
    const rows = rowsOf([entry('white', 1, 'e4'), entry('black', 1, 'e5'), entry('white', 2, 'Nf3')]);
    expect(rows.map((r) => [r.number, r.cells.map((c) => c?.san)])).toEqual([
      [1, ['e4', 'e5']],
      [2, ['Nf3']],
    ]);
  });

  it('leaves White out where Black began', () => {
    expect(rowsOf([entry('black', 7, 'Kd8')])).toEqual([
      { number: 7, cells: [null, { ply: 1, san: 'Kd8', uci: 'Kd8' }] },
    ]);
  });
});
