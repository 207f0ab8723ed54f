/** Each game is played in the page against the computer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dialog, isOver, playAnything, playPath, plies, random, square, status, useBrowser, waitForTurn, withPage } from './lib.mjs';

useBrowser();

const GAMES = ['chess', 'teleport', 'pocketmutation', 'porthole', 'portalduel', 'twinportal', 'splitportal'];

describe('ten plies of each game, by tapping what is offered', () => {
  for (const [i, variant] of GAMES.entries()) {
    it(variant, async () => {
      await withPage(playPath(variant), async (page) => {
        const choose = random(7 + i);
        await waitForTurn(page, 0);
        while ((await plies(page)) < 10 && (await playAnything(page, choose)));
        assert.ok((await plies(page)) >= 10 || (await isOver(page)), 'ten plies, or the game is over');
      });
    });

    it(`${variant}, with Black`, async () => {
      await withPage(playPath(variant, { side: 'black' }), async (page) => {
        await waitForTurn(page, 1);
        const choose = random(77 + i);
        while ((await plies(page)) < 5 && (await playAnything(page, choose)));
        assert.ok((await plies(page)) >= 5 || (await isOver(page)));
      });
    });
  }
});

/** How many plies a game may take here. At its easiest the computer loses to chance late or never. */
const LONGEST = 60;

describe('games of each kind, with every choice cancelled once before it is made', () => {
  for (const [i, variant] of GAMES.entries()) {
    // Games in which there is much to choose; the computer may end one before chance has found a choice.
    const choosy = variant === 'pocketmutation' || variant === 'porthole';
    it(variant, async () => {
      let cancelled = 0;
      for (let game = 0; game === 0 || (choosy && cancelled === 0 && game < 5); game++) {
        await withPage(playPath(variant), async (page) => {
          const choose = random(700 + i + 100 * game);
          await waitForTurn(page, 0);
          while ((await plies(page)) < LONGEST && !(await isOver(page))) {
            const made = await plies(page);
            const picked = (await page.locator('[data-target]').count()) > 0;
            const sources = page.locator('[data-pickable]');
            if (!picked && (await sources.count()) > 0) {
              const source = sources.nth(choose(await sources.count()));
              await source.click();
              const goals = page.locator('[data-target]');
              if ((await goals.count()) > 0) {
                await goals.nth(choose(await goals.count())).click();
                // Either it was played, or a choice is open: then it is let go.
                if ((await dialog(page).count()) > 0) {
                  await page.keyboard.press('Escape');
                  assert.equal(await dialog(page).count(), 0);
                  assert.equal(await plies(page), made, 'nothing was played');
                  cancelled++;
                } else {
                  await waitForTurn(page, made + 2);
                  continue;
                }
              }
              await page.keyboard.press('Escape');
            }
            await playAnything(page, choose);
          }
          assert.ok((await plies(page)) >= LONGEST || (await isOver(page)));
        });
      }
      if (choosy) assert.ok(cancelled > 0, 'a choice was cancelled');
    });
  }
});

describe('by the keyboard alone', () => {
  it('a whole game, from the board to its end', async () => {
    await withPage(playPath('chess', { fen: '7k/8/5KQ1/8/8/8/8/8 w - - 0 1' }), async (page) => {
      await square(page, 'a1').waitFor();
      // Tab leads to the board.
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate(() => document.activeElement?.getAttribute('data-square'))) !== null) break;
      }
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-square'));
      const goTo = async (name) => {
        for (let i = 0; i < 16 && (await focused()) !== name; i++) {
          const [file, rank] = [...(await focused())];
          const key =
            file < name[0] ? 'ArrowRight' : file > name[0] ? 'ArrowLeft' : rank < name[1] ? 'ArrowUp' : 'ArrowDown';
          await page.keyboard.press(key);
        }
        assert.equal(await focused(), name);
      };
      await goTo('g6');
      await page.keyboard.press('Enter');
      await goTo('g7');
      await page.keyboard.press('Enter');
      await page.getByTestId('result').waitFor();
      assert.match(await status(page).innerText(), /checkmate/);
    });
  });

  it('into the pocket and out of it', async () => {
    const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2';
    await withPage(playPath('pocketmutation', { fen }), async (page) => {
      await square(page, 'h1').focus();
      await page.keyboard.press('Enter');
      await page.locator('[data-pocket="white"]').focus();
      await page.keyboard.press('Enter');
      await dialog(page).waitFor();
      await page.keyboard.press('Enter');
      await waitForTurn(page, 2);
      await page.locator('[data-pocket="white"]').focus();
      await page.keyboard.press('Enter');
      await square(page, 'd4').focus();
      await page.keyboard.press('Enter');
      await waitForTurn(page, 4);
    });
  });
});

describe('by touch', () => {
  const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

  for (const variant of ['teleport', 'porthole', 'portalduel', 'twinportal', 'splitportal']) {
    it(`${variant}: six plies by tapping`, async () => {
      await withPage(
        playPath(variant),
        async (page) => {
          const choose = random(41);
          await waitForTurn(page, 0);
          while ((await plies(page)) < 6 && (await playAnything(page, choose, (what) => what.tap())));
          assert.ok((await plies(page)) >= 6 || (await isOver(page)));
        },
        phone,
      );
    });
  }
});
