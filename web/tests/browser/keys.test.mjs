/** Where the keyboard, the wheel and the focus are while a game goes on. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answer, board, holdComputer, playPath, square, useBrowser, waitForPlies, withPage } from './lib.mjs';

useBrowser();

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute('data-square') ?? null);
const shown = (page) =>
  page.evaluate(() => Number(document.querySelector('[data-testid="moves"] [aria-current="step"]')?.getAttribute('data-ply') ?? 0));
const showsPly = (page, ply) =>
  page.waitForFunction(
    (n) => Number(document.querySelector('[data-testid="moves"] [aria-current="step"]')?.getAttribute('data-ply') ?? 0) === n,
    ply,
  );

async function begin(page) {
  await square(page, 'e2').click();
  await square(page, 'e4').click();
  await answer(page, 'e7e5');
  await waitForPlies(page, 2);
  await showsPly(page, 2);
}

describe('after a move by the mouse', () => {
  it('the arrows and the wheel look back and forth', async () => {
    await withPage(
      playPath('chess'),
      async (page) => {
        await begin(page);
        await page.keyboard.press('ArrowLeft');
        await showsPly(page, 1);
        await page.keyboard.press('ArrowLeft');
        await showsPly(page, 0);
        await page.keyboard.press('ArrowRight');
        await showsPly(page, 1);
        await square(page, 'd5').hover();
        await page.mouse.wheel(0, 100);
        await showsPly(page, 2);
        await page.mouse.wheel(0, -100);
        await showsPly(page, 1);
        await page.mouse.wheel(0, -100);
        await showsPly(page, 0);
        assert.equal(await page.evaluate(() => scrollY), 0);
      },
      { prepare: holdComputer },
    );
  });

  it('the arrows do so in an analysis, too', async () => {
    await withPage('/analysis/chess', async (page) => {
      await square(page, 'e2').click();
      await square(page, 'e4').click();
      await page.waitForFunction(() => document.querySelector('[data-square="e4"]')?.getAttribute('aria-label')?.includes('awn'));
      await page.keyboard.press('ArrowLeft');
      await page.waitForFunction(() => document.querySelector('[data-square="e2"]')?.getAttribute('aria-label')?.includes('awn'));
      await square(page, 'd5').hover();
      await page.mouse.wheel(0, 100);
      await page.waitForFunction(() => document.querySelector('[data-square="e4"]')?.getAttribute('aria-label')?.includes('awn'));
    });
  });

  it('the keyboard that comes to the board steers over its squares', async () => {
    await withPage(
      playPath('chess'),
      async (page) => {
        await begin(page);
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Tab');
        const from = await focused(page);
        assert.notEqual(from, null);
        await page.keyboard.press('ArrowLeft');
        assert.notEqual(await focused(page), from);
        assert.equal(await shown(page), 2);
      },
      { prepare: holdComputer },
    );
  });
});

describe('the focus stays where it was', () => {
  for (const [what, path] of [['a game', playPath('chess')], ['an analysis', '/analysis/chess']]) {
    it(`when the board of ${what} is turned`, async () => {
      await withPage(
        path,
        async (page) => {
          await square(page, 'c2').focus();
          for (const key of ['f', 'F']) {
            await page.keyboard.press(key);
            await page.waitForFunction(() => document.activeElement?.getAttribute('data-square') === 'c2');
          }
          await page.keyboard.press('f');
          // The board is turned: its right is the side of the a-file.
          await page.waitForFunction(() => document.activeElement?.getAttribute('data-square') === 'c2');
          await page.keyboard.press('ArrowRight');
          assert.equal(await focused(page), 'b2');
        },
        { prepare: holdComputer },
      );
    });
  }

  it('in the game in words, when a move is made and answered', async () => {
    await withPage(
      playPath('chess'),
      async (page) => {
        await board(page).waitFor();
        const words = page.getByTestId('words');
        await words.locator('[data-move="e2e4"]').focus();
        await page.keyboard.press('Enter');
        const inWords = () => page.evaluate(() => document.activeElement?.closest('[data-testid="words"]') !== null);
        await waitForPlies(page, 1);
        assert.ok(await inWords(), 'while the computer thinks');
        await answer(page, 'e7e5');
        await words.locator('[data-move="g1f3"]').waitFor();
        assert.ok(await inWords(), 'after its answer');
        await page.keyboard.press('Tab');
        assert.ok(await page.evaluate(() => document.activeElement?.hasAttribute('data-move')), 'the moves come next');
      },
      {
        prepare: async (page) => {
          await holdComputer(page);
          await page.addInitScript(() => localStorage.setItem('warpchess.settings', JSON.stringify({ text: true })));
        },
      },
    );
  });
});
