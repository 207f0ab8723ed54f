/** What is special on the board, in games between people: choices, decisions in advance, two boards. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dialog, label, plies, pocket, status, useBrowser } from './lib.mjs';
import { atTable, play, stateOf } from './online.mjs';

useBrowser();

const POCKETS = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w - - 0 2';

describe('choices', () => {
  const CHOICES = {
    'what a pawn becomes': { variant: 'chess', fen: '3r2k1/2P5/8/8/8/8/8/4K3 w - - 0 1', taps: [(p) => p.at('c7'), (p) => p.at('d8')] },
    'what is pocketed': { variant: 'pocketmutation', fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2', taps: [(p) => p.at('h1'), (p) => pocket(p.page)] },
  };
  for (const [name, { variant, fen, taps }] of Object.entries(CHOICES)) {
    it(`${name}: cancelled nothing is sent; the board is turned meanwhile; chosen it is played`, async () => {
      await atTable({ variant, fen }, async ({ white, black, game }) => {
        for (const tap of taps) await tap(white).click();
        await dialog(white.page).waitFor();
        await white.page.keyboard.press('Escape');
        assert.equal(await dialog(white.page).count(), 0);
        assert.equal((await stateOf(white, game)).ply, 0);
        for (const tap of taps) await tap(white).click();
        await dialog(white.page).waitFor();
        await white.page.keyboard.press('f');
        await dialog(white.page).waitFor();
        await dialog(white.page).locator('[data-choice]').first().click();
        await Promise.all([white.sees(1), black.sees(1)]);
      });
    });
  }

  it('where to come out of a portal: cancelled nothing is sent, chosen it is played', async () => {
    await atTable({ variant: 'porthole' }, async (table) => {
      const { white, black, game } = table;
      await play(table, 'd2d4 g7g6');
      const exit = white.page.locator('[data-target="exit"]').first();
      await white.at('c1').click();
      await white.at('f4').click();
      await exit.waitFor();
      await white.page.keyboard.press('f');
      await white.page.keyboard.press('Escape');
      assert.equal(await exit.count(), 0);
      assert.equal((await stateOf(white, game)).ply, 2);
      await white.at('c1').click();
      await white.at('f4').click();
      await exit.click();
      await Promise.all([white.sees(3), black.sees(3)]);
      assert.match(await status(black.page).innerText(), /enters the portal/);
    });
  });
});

describe('decided in advance', () => {
  it('a drop from the pocket', async () => {
    await atTable({ variant: 'pocketmutation', fen: POCKETS }, async ({ white, black, game }) => {
      await pocket(black.page, 'black').click();
      await black.at('d5').click();
      await black.page.locator('[data-cancel-premove]').waitFor();
      assert.equal((await stateOf(black, game)).ply, 0);
      await white.write('a2a3');
      await Promise.all([white.sees(2), black.sees(2)]);
      assert.match(await label(white.page, 'd5'), /knight/i);
    });
  });

  it('an exchange of two pieces', async () => {
    await atTable({ variant: 'teleport' }, async ({ white, black }) => {
      await black.page.locator('[data-premovable]').first().waitFor();
      await black.at('a8').click();
      await black.page.locator('[data-target="swap"]').first().click();
      await black.page.locator('[data-cancel-premove]').waitFor();
      await white.write('e2e4');
      await Promise.all([white.sees(2), black.sees(2)]);
      assert.match(await status(white.page).innerText(), /changes places/);
    });
  });

  it('what is not legal when the turn comes is dropped, and that is said', async () => {
    const fen = 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
    await atTable({ fen }, async ({ white, black, game }) => {
      await black.page.locator('[data-premovable]').first().waitFor();
      await black.at('d5').click();
      await black.at('e4').click();
      await black.page.locator('[data-cancel-premove]').waitFor();
      await white.write('e4e5');
      await black.sees(1);
      await black.page.getByText('The move decided in advance is not legal now').waitFor();
      assert.deepEqual((await stateOf(black, game)).moves, ['e4e5']);
    });
  });
});

describe('two boards', () => {
  it('a move on the board that is not due is refused, and it is said why', async () => {
    await atTable({ variant: 'twinportal' }, async ({ white, game }) => {
      await white.at('e2', 'B').click();
      await white.page.getByTestId('hint').getByText(/not the turn of that board/).waitFor();
      assert.equal((await stateOf(white, game)).ply, 0);
      assert.equal(await plies(white.page), 0);
    });
  });

  it('on a phone: tapping the large board plays, on both sides', async () => {
    const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };
    await atTable(
      { variant: 'twinportal' },
      async ({ white, black }) => {
        await white.write('e2e4');
        await black.sees(1);
        const source = black.page.locator('[data-pickable]').nth(3);
        await source.tap();
        await black.page.locator('[data-target]').first().tap();
        await Promise.all([white.sees(2), black.sees(2)]);
        // The moves are in a sheet at the lower edge, which a tap opens.
        const first = black.page.getByTestId('moves').locator('[data-ply="1"]');
        assert.equal(await first.isVisible(), false);
        await black.page.getByTestId('sheet').locator('[aria-expanded]').tap();
        await first.waitFor();
      },
      { black: phone },
    );
  });
});
