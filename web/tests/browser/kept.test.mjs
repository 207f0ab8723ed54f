/** What was begun is there again: after a reload, after Back, in another language; and a new game is a new one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answer, board, holdComputer, moves, playPath, plies, square, useBrowser, waitForPlies, withPage } from './lib.mjs';

useBrowser();

const sans = async (page) => (await moves(page).locator('[data-ply]').allTextContents()).map((t) => t.trim());
/** What is kept is written after the picture. */
const isKept = (page, kind, count) =>
  page.waitForFunction(
    ([k, n]) => (history.state?.[k]?.value?.moves ?? history.state?.[k]?.value?.nodes ?? []).length === n,
    [kind, count],
  );

async function begin(page) {
  await square(page, 'e2').click();
  await square(page, 'e4').click();
  await answer(page, 'e7e5');
  await waitForPlies(page, 2);
  await isKept(page, 'play', 2);
}

describe('a game against the computer', () => {
  it('outlives a reload, the analysis, the home page and a change of language', async () => {
    await withPage(
      playPath('chess', { level: 2 }),
      async (page) => {
        await begin(page);
        await page.reload();
        await waitForPlies(page, 2);
        assert.deepEqual(await sans(page), ['e4', 'e5']);
        assert.equal(await page.locator('.level select').inputValue(), '2');

        await page.getByRole('link', { name: 'Analyse' }).click();
        await page.waitForURL(/\/analysis\//);
        await page.goBack();
        await waitForPlies(page, 2);

        await page.locator('header a').first().click();
        await page.waitForURL((url) => url.pathname === '/');
        await page.goBack();
        await waitForPlies(page, 2);

        await page.evaluate(() => localStorage.setItem('warpchess.lang', 'ru'));
        await page.reload();
        await waitForPlies(page, 2);
        assert.equal(await page.evaluate(() => document.documentElement.lang), 'ru');
        // It is played on.
        await square(page, 'g1').click();
        await square(page, 'f3').click();
        await answer(page, 'b8c6');
        await waitForPlies(page, 4);
      },
      { prepare: holdComputer },
    );
  });

  it('goes nowhere else: another game, another position and a new game begin anew', async () => {
    await withPage(
      playPath('chess'),
      async (page) => {
        await begin(page);
        const here = page.url();
        for (const path of [playPath('teleport'), playPath('chess', { fen: '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' }), here]) {
          await page.goto(new URL(path, here).href);
          await board(page).waitFor();
          assert.equal(await plies(page), 0, path);
        }
        await page.goto(new URL(playPath('chess', { level: 3 }), here).href);
        await board(page).waitFor();
        await begin(page);
        await page.getByRole('button', { name: 'New game' }).click();
        await page.getByRole('button', { name: 'Start' }).click();
        await page.waitForFunction(() => document.querySelectorAll('[data-testid="moves"] [data-ply]').length === 0);
        await page.reload();
        await board(page).waitFor();
        assert.equal(await plies(page), 0);
        // Nor is the old one lost by that.
        await page.goBack();
        await waitForPlies(page, 2);
      },
      { prepare: holdComputer },
    );
  });

  it('that was given up stays given up', async () => {
    await withPage(
      playPath('chess'),
      async (page) => {
        await begin(page);
        await page.getByRole('button', { name: 'Resign' }).click();
        await page.getByRole('button', { name: /resign/i }).click();
        await page.getByTestId('result').waitFor();
        await page.waitForFunction(() => history.state?.play?.value?.decided);
        await page.reload();
        await page.getByTestId('result').waitFor();
        assert.deepEqual(await sans(page), ['e4', 'e5']);
      },
      { prepare: holdComputer },
    );
  });

  it('is not lost by the way to the content', async () => {
    await withPage(
      playPath('chess'),
      async (page) => {
        await begin(page);
        await page.locator('a.skip').focus();
        await page.keyboard.press('Enter');
        assert.equal(await page.evaluate(() => document.activeElement?.id), 'content');
        assert.equal(await plies(page), 2);
      },
      { prepare: holdComputer },
    );
  });
});

describe('an analysis', () => {
  const tree = (page) => page.getByTestId('moves').innerText();

  it('outlives a reload and Back with its variations and comments, and its address follows', async () => {
    await withPage('/analysis/chess?lang=en', async (page) => {
      for (const [from, to] of [['e2', 'e4'], ['e7', 'e5']]) {
        await square(page, from).click();
        await square(page, to).click();
      }
      await isKept(page, 'analysis', 2);
      await page.keyboard.press('ArrowLeft');
      await square(page, 'c7').click();
      await square(page, 'c5').click();
      await isKept(page, 'analysis', 3);
      await page.waitForFunction(() => new URLSearchParams(location.search).get('moves') === 'e2e4,c7c5');
      assert.equal(new URL(page.url()).searchParams.get('lang'), 'en');
      const before = await tree(page);
      assert.match(before, /e5/);
      assert.match(before, /c5/);
      await page.reload();
      await page.waitForFunction(() => document.querySelector('[data-testid="moves"]')?.textContent?.includes('c5'));
      assert.equal(await tree(page), before);
      await page.locator('header a').first().click();
      await page.waitForURL((url) => url.pathname === '/');
      await page.goBack();
      await page.waitForFunction(() => document.querySelector('[data-testid="moves"]')?.textContent?.includes('c5'));
      assert.equal(await tree(page), before);

      await page.getByRole('link', { name: 'New analysis' }).click();
      await page.waitForFunction(() => !document.querySelector('[data-testid="moves"]')?.textContent?.includes('c5'));
      assert.equal(new URL(page.url()).search, '');
      // Another game has none of it.
      await page.goto(new URL('/analysis/teleport', page.url()).href);
      await board(page).waitFor();
      assert.ok(!(await page.locator('[data-testid="moves"]').count()) || !/c5/.test(await tree(page)));
    });
  });

  it('its address leads to the position, also for others', async () => {
    await withPage('/analysis/chess?moves=e2e4,c7c5', async (page) => {
      await page.waitForFunction(() => document.querySelector('[data-testid="moves"]')?.textContent?.includes('c5'));
      assert.match((await square(page, 'c5').getAttribute('aria-label')) ?? '', /pawn/i);
    });
  });
});
