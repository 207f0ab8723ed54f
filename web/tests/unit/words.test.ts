/** What the board says beside the game. */
import { describe, expect, it } from 'vitest';
import { hintText } from '../../src/lib/board/words';
import { en } from '../../src/lib/i18n/en';
import { es } from '../../src/lib/i18n/es';
import { ru } from '../../src/lib/i18n/ru';
import * as fixture from '../fixtures/positions';
import { TWIN } from '../fixtures/variants';

describe('a tap on the board that is not due', () => {
  it('is answered by one sentence with one stop', () => {
    const view = fixture.twin;
    const at = { area: 'B', square: 'e2' } as const;
    const said = hintText(
      { info: TWIN, view, due: view.area, ahead: false, why: () => null },
      view.legal,
      { stage: 'idle' },
      { why: 'nothingToMove', at },
    );
    expect(said).toMatch(/[^.]\.$/);
  });

  it('takes a sentence with a stop of its own, in every language', () => {
    for (const table of [en, es, ru]) expect(table['refusal.notDue']).toMatch(/\{where\}$/);
  });
});
