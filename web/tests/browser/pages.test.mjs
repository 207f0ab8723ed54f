/** The pages themselves: ways to move, errors, languages, themes, widths. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  dialog,
  isOver,
  label,
  lastSan,
  moves,
  playPath,
  plies,
  square,
  status,
  useBrowser,
  waitForTurn,
  withPage,
} from './lib.mjs';

useBrowser();

describe('home', () => {
  it('offers the seven games and starts one with the chosen side and level', async () => {
    await withPage('/', async (page) => {
      const games = page.locator('[data-variant]');
      await games.first().waitFor();
      assert.equal(await games.count(), 7);
      await page.locator('label', { hasText: /^\s*Black\s*$/ }).click();
      await page.locator('label', { hasText: /^\s*1\s*$/ }).click();
      await page.locator('[data-variant="porthole"]').getByRole('link', { name: 'Play' }).click();
      await page.locator('[data-board="A"]').waitFor();
      assert.match(page.url(), /\/play\/porthole\?side=black&level=1$/);
      await waitForTurn(page, 1);
      await page.goBack();
      await games.first().waitFor();
    });
  });

  it('shows a board and the way into a game on the first screen of a phone, and people folded up below', async () => {
    const phone = { viewport: { width: 360, height: 740 } };
    await withPage(
      '/?lang=ru',
      async (page) => {
        const first = page.locator('[data-variant]').first();
        await first.waitFor();
        for (const part of [first.getByRole('img'), first.locator('.button')]) {
          const box = await part.boundingBox();
          assert.ok(box && box.y > 0 && box.y + box.height <= phone.viewport.height, JSON.stringify(box));
        }
        assert.equal(await page.getByTestId('people').count(), 0);
        await page.getByRole('button', { name: 'Играть с людьми' }).click();
        await page.getByTestId('people').waitFor();
      },
      phone,
    );
  });

  it('speaks three languages, by address and by choice', async () => {
    await withPage('/?lang=ru', async (page) => {
      await page.getByText('Семь видов шахмат').waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
      await page.locator('header').getByRole('combobox').selectOption('es');
      await page.getByText('Siete clases de ajedrez').waitFor();
    });
  });

  it('has a dark and a light theme, and remembers', async () => {
    await withPage('/', async (page) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const before = await background();
      await page.getByRole('button', { name: 'Dark theme' }).click();
      assert.notEqual(await background(), before);
      await page.reload();
      await page.getByRole('button', { name: 'Light theme' }).waitFor();
      assert.notEqual(await background(), before);
    });
  });
});

describe('the pieces', () => {
  it('have a card each, with how they go, their class and worth, and a choice of game', async () => {
    await withPage('/pieces', async (page) => {
      const cards = page.locator('[data-role]');
      await cards.first().waitFor();
      assert.equal(await cards.count(), 19);
      const amazon = page.locator('[data-role="T"]');
      assert.equal(await amazon.getByRole('heading').innerText(), 'Amazon');
      assert.match(await amazon.innerText(), /Letter\s*T[\s\S]*14\.5[\s\S]*pocket\s*7[\s\S]*Pocket Mutation/);
      assert.equal(await amazon.locator('svg.movement').count(), 1);
      await page.getByRole('main').getByRole('combobox').selectOption('chess');
      assert.equal(await cards.count(), 6);
    });
  });
});

describe('ways to move', () => {
  it('dragging', async () => {
    await withPage(playPath('chess'), async (page) => {
      await square(page, 'e2').dragTo(square(page, 'e4'));
      await waitForTurn(page, 2);
      assert.equal(await lastSan(page, 2), 'e4');
    });
  });

  it('a drag to nowhere changes nothing', async () => {
    await withPage(playPath('chess'), async (page) => {
      await square(page, 'e2').dragTo(page.getByRole('heading', { level: 1 }));
      await square(page, 'g1').dragTo(square(page, 'g5'));
      assert.equal(await plies(page), 0);
      assert.match(await label(page, 'e2'), /white pawn/);
    });
  });

  it('a piece let go where it was stays picked up', async () => {
    await withPage(playPath('chess'), async (page) => {
      const box = await square(page, 'e2').boundingBox();
      await page.mouse.move(box.x + 20, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + 40, box.y + 40, { steps: 4 });
      await page.mouse.up();
      await square(page, 'e4').click();
      await waitForTurn(page, 2);
      assert.equal(await lastSan(page, 2), 'e4');
    });
  });

  it('the keyboard alone', async () => {
    await withPage(playPath('chess'), async (page) => {
      await square(page, 'a1').focus();
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'Enter']) {
        await page.keyboard.press(key);
      }
      assert.equal(await square(page, 'e2').getAttribute('aria-selected'), 'true');
      await page.keyboard.press('Escape');
      assert.equal(await square(page, 'e2').getAttribute('aria-selected'), 'false');
      for (const key of ['Enter', 'ArrowUp', 'ArrowUp', ' ']) await page.keyboard.press(key);
      await waitForTurn(page, 2);
      assert.equal(await lastSan(page, 2), 'e4');
    });
  });

  it('a choice by the keyboard', async () => {
    await withPage(playPath('chess', { fen: '4k3/1P6/8/8/8/8/7P/4K3 w - - 0 1' }), async (page) => {
      await square(page, 'b7').focus();
      for (const key of ['Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
      await dialog(page).waitFor();
      for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
      await waitForTurn(page, 2);
      assert.match(await lastSan(page, 2), /^b8=R/);
    });
  });

  it('touch', async () => {
    await withPage(
      playPath('chess'),
      async (page) => {
        await square(page, 'e2').tap();
        await square(page, 'e4').tap();
        await waitForTurn(page, 2);
        assert.equal(await lastSan(page, 2), 'e4');
      },
      { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } },
    );
  });

  it('on a flipped board, also in the middle of a choice', async () => {
    await withPage(playPath('chess', { fen: '4k3/1P6/8/8/8/8/7P/4K3 w - - 0 1' }), async (page) => {
      const before = await square(page, 'b7').boundingBox();
      await page.getByRole('button', { name: 'Flip the board' }).click();
      const after = await square(page, 'b7').boundingBox();
      assert.ok(after.y > before.y, 'rank 7 is below now');
      await square(page, 'b7').click();
      await square(page, 'b8').click();
      await dialog(page).getByRole('button', { name: 'Knight' }).click();
      await waitForTurn(page, 2);
      assert.match(await lastSan(page, 2), /^b8=N/);
    });
  });

  it('with motion on', async () => {
    await withPage(
      playPath('teleport'),
      async (page) => {
        await square(page, 'a1').click();
        await square(page, 'b1').click();
        await waitForTurn(page, 2);
        assert.match(await label(page, 'b1'), /white rook/);
      },
      { reducedMotion: 'no-preference' },
    );
  });
});

describe('a game', () => {
  it('is taken back, looked at, resigned and begun anew', async () => {
    await withPage(playPath('chess'), async (page) => {
      await square(page, 'e2').click();
      await square(page, 'e4').click();
      await waitForTurn(page, 2);
      await page.getByRole('button', { name: 'Take back' }).click();
      assert.equal(await plies(page), 0);
      assert.match(await label(page, 'e2'), /white pawn/);

      await square(page, 'd2').click();
      await square(page, 'd4').click();
      await waitForTurn(page, 2);
      await moves(page).locator('[data-ply="1"]').click();
      assert.match(await status(page).innerText(), /earlier position/);
      await square(page, 'e2').click();
      await square(page, 'e4').click();
      assert.equal(await plies(page), 2, 'nothing is played from an earlier position');
      await page.getByRole('button', { name: 'Last position' }).click();

      await page.getByRole('button', { name: 'Resign' }).click();
      await page.getByRole('button', { name: 'Really resign?' }).click();
      assert.ok(await isOver(page));
      assert.match(await status(page).innerText(), /Black wins: resignation/);

      await page.getByRole('button', { name: 'Play again' }).click();
      await page.getByRole('button', { name: 'Start' }).click();
      await page.waitForFunction(() => document.querySelectorAll('[data-ply]').length === 0);
      assert.equal(await isOver(page), false);
    });
  });

  it('goes on when the computer is stopped in its thoughts', async () => {
    await withPage(playPath('chess', { level: 8 }), async (page) => {
      await square(page, 'e2').click();
      await square(page, 'e4').click();
      await page.getByText('thinking…').waitFor();
      await page.getByRole('button', { name: 'Take back' }).click();
      assert.equal(await plies(page), 0);
      await square(page, 'd2').click();
      assert.equal(await square(page, 'd4').getAttribute('data-target'), 'move');
    });
  });

  it('never blocks the page while the computer thinks', async () => {
    await withPage(playPath('chess', { level: 8 }), async (page) => {
      await square(page, 'e2').click();
      await square(page, 'e4').click();
      await page.getByText('thinking…').waitFor();
      const worst = await page.evaluate(async () => {
        let longest = 0;
        let last = performance.now();
        for (let i = 0; i < 20; i++) {
          await new Promise((done) => setTimeout(done, 10));
          const now = performance.now();
          longest = Math.max(longest, now - last);
          last = now;
        }
        return longest;
      });
      assert.ok(worst < 500, `the page stood still for ${Math.round(worst)} ms`);
    });
  });
});

describe('what goes wrong is said in words', () => {
  it('an illegal position names its field', async () => {
    await withPage('/play/chess?fen=8/8/8/8/8/8/8/8 w - - 0 1', async (page) => {
      const alert = page.getByRole('alert');
      await alert.waitFor();
      assert.match(await alert.innerText(), /cannot be played[\s\S]*FEN/);
      await page.getByRole('link', { name: 'Play from the usual start' }).click();
      await square(page, 'e2').waitFor();
    });
  });

  it('an unknown game and an unknown page lead home', async () => {
    // The server says 404 with the page.
    await withPage(
      '/play/checkers',
      async (page) => {
        await page.getByText('There is no game called “checkers”.').waitFor();
        await page.getByRole('link', { name: 'To the games' }).click();
        await page.locator('[data-variant]').first().waitFor();
      },
      { expected: [/status of 404/] },
    );
  });

  it('rules that do not load can be asked for again', async () => {
    let refuse = true;
    await withPage(
      '/',
      async (page) => {
        await page.getByText('The rules could not be loaded.').waitFor();
        refuse = false;
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.locator('[data-variant]').first().waitFor();
      },
      {
        expected: [/Failed to load resource/],
        prepare: (page) =>
          page.route('**/rules-*.wasm', (route) => (refuse ? route.abort() : route.continue())),
      },
    );
  });

  it('an engine that does not start can be asked again', async () => {
    let refuse = true;
    await withPage(
      playPath('chess'),
      async (page) => {
        await square(page, 'e2').click();
        await square(page, 'e4').click();
        await page.getByText('The computer player stopped.').waitFor();
        refuse = false;
        await page.getByRole('button', { name: 'Let it think again' }).click();
        await waitForTurn(page, 2);
      },
      {
        expected: [/Failed to load resource/, /worker/i],
        prepare: (_, context) =>
          context.route('**/engine.worker*', (route) => (refuse ? route.abort() : route.continue())),
      },
    );
  });
});

describe('at every width', () => {
  const pages = ['/', '/pieces', ...['pocketmutation', 'twinportal', 'splitportal'].map((v) => `/play/${v}`)];
  for (const width of [360, 768, 1280, 1920]) {
    it(`${width} px: nothing scrolls sideways`, async () => {
      for (const path of pages) {
        for (const lang of ['en', 'ru']) {
          await withPage(
            `${path}?lang=${lang}`,
            async (page) => {
              await page.locator('[data-board], [data-variant], h2').first().waitFor();
              const wide = await page.evaluate(() => document.documentElement.scrollWidth);
              assert.ok(wide <= width, `${path} in ${lang} is ${wide} px wide`);
            },
            { viewport: { width, height: 800 } },
          );
        }
      }
    });
  }

  it('on a phone the due board is large, and a tap exchanges the two', async () => {
    await withPage(
      '/play/twinportal',
      async (page) => {
        const wide = async (id) => (await page.locator(`[data-board="${id}"]`).boundingBox()).width;
        await page.locator('[data-board="A"]').waitFor();
        assert.ok((await wide('A')) > 2.5 * (await wide('B')));
        await page.getByRole('button', { name: 'Show board B large' }).click();
        assert.ok((await wide('B')) > 2.5 * (await wide('A')));
      },
      { viewport: { width: 360, height: 740 } },
    );
  });
});
