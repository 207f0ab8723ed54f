/** Rules, analysis, editor, embedded boards: each page of each game, by what it offers to everybody. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { assertAccessible } from './axe.mjs';
import { board, dialog, label, moves, pocket, square, status, useBrowser, withPage } from './lib.mjs';

useBrowser();

const FOLDER = new URL('../../src/lib/lessons/', import.meta.url);
const COURSES = readdirSync(FOLDER).map((file) => ({
  variant: file.replace('.json', ''),
  ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
}));
const GAMES = COURSES.map((c) => c.variant);
const LANGS = ['en', 'es', 'ru'];

/** Makes the move of a UCI text by hand: the gestures follow from its form, as the pages describe it. */
async function make(page, uci, area = null) {
  const at = (name) => {
    const found = area ? square(page, name, area) : page.locator(`[data-square="${name}"]`).first();
    return found;
  };
  const choose = async (letter) => dialog(page).locator(`[data-choice="${letter}"]`).click();
  let found;
  if (uci === '0000') {
    await page.locator('[data-action="transfer"], [data-action="pass"]').click();
  } else if ((found = /^(\w\d)\^(\w)$/.exec(uci))) {
    await at(found[1]).click();
    await page.locator('[data-pocket][data-target]').click();
    if ((await dialog(page).count()) > 0) await choose(found[2]);
  } else if ((found = /^O@(\w\d)$/.exec(uci))) {
    await at(found[1]).click();
  } else if ((found = /^\w@(\w\d)$/.exec(uci))) {
    await page.locator('[data-pocket][data-pickable]').click();
    await at(found[1]).click();
  } else if ((found = /^O(\w\d)(\w\d)$/.exec(uci))) {
    await at(found[1]).click();
    // A piece on the same square is picked up first.
    if ((await at(found[2]).getAttribute('data-target')) === null) await at(found[1]).click();
    await at(found[2]).click();
  } else {
    const [, from, to, more] = /^(\w\d)(\w\d)(\w*)$/.exec(uci);
    await at(from).click();
    if (from === to) {
      await page.locator('[data-action="declare"]').click();
      return;
    }
    await at(to).click();
    if (/^\w\d$/.test(more)) {
      if ((await dialog(page).count()) > 0) await at(more).click();
    } else if (more) {
      await choose(more.toUpperCase());
    }
  }
}

describe('the tutorial', () => {
  for (const { variant, lessons } of COURSES) {
    for (const lang of LANGS) {
      it(`${variant} in ${lang}: from the first lesson to the last`, async () => {
        await withPage(`/rules/${variant}?lang=${lang}`, async (page) => {
          for (const [i, lesson] of lessons.entries()) {
            const shown = page.locator(`[data-lesson="${lesson.id}"]`);
            await shown.waitFor();
            assert.match(await shown.innerText(), new RegExp(escape(lesson.task[lang].slice(0, 30))));
            for (const [n, step] of lesson.steps.entries()) {
              const due = await page.locator('.due [data-board]').getAttribute('data-board', { timeout: 200 }).catch(() => null);
              await make(page, step.solution, due);
              if (n + 1 < lesson.steps.length) {
                await page.locator('[data-verdict="step"]').first().waitFor();
                await page.locator('[data-pickable], [data-action]').first().waitFor();
              }
            }
            await page.locator('[data-lesson][data-verdict="done"]').waitFor();
            if (i + 1 < lessons.length) await page.locator('footer .button.primary').click();
          }
          // What was done is still known after a visit elsewhere.
          await page.reload();
          const marks = page.locator('nav ol a.done');
          await marks.first().waitFor();
          assert.equal(await marks.count(), lessons.length);
        });
      });
    }
  }

  it('a legal move that is not the task goes back, an illegal one is explained, and the solution can be seen', async () => {
    await withPage('/rules/chess?lesson=checkmate', async (page) => {
      await square(page, 'a1').click();
      await square(page, 'a4').click();
      await page.locator('[data-verdict="wrong"]').first().waitFor();
      assert.match(await status(page).innerText(), /legal, but it is not the task/);
      await page.locator('[data-square="a1"][data-pickable]').waitFor();
      assert.match(await label(page, 'a1'), /white rook/);
      await square(page, 'a1').click();
      await square(page, 'b4').click();
      await page.getByText('Rook a1 may not go to b4', { exact: false }).or(page.locator('.hint:not(:empty)')).first().waitFor();
      await page.getByRole('button', { name: 'Show the solution' }).click();
      await page.locator('[data-verdict="done"]').first().waitFor();
      assert.equal(await page.locator('nav ol a.done').count(), 0, 'a solution that was shown does not count');
      await page.getByRole('button', { name: 'Start over' }).click();
      await square(page, 'a1').click();
      await square(page, 'a8').click();
      await page.locator('nav ol a.done').waitFor();
    });
  });
});

describe('analysis', () => {
  for (const { variant, lessons } of COURSES) {
    it(`${variant}: moves, a variation, the engine, PGN out and in`, async () => {
      const longest = lessons.find((l) => l.steps.length > 1) ?? lessons[0];
      await withPage(`/analysis/${variant}?fen=${encodeURIComponent(longest.fen)}`, async (page) => {
        await page.locator('[data-board]').first().waitFor();
        const nodes = moves(page).locator('[data-node]');
        await page.getByTestId('move-text').fill(longest.steps[0].solution);
        await page.getByRole('button', { name: 'Play it' }).click();
        await nodes.first().waitFor();
        const first = (await nodes.first().innerText()).trim();
        await page.getByTestId('move-text').blur();
        await page.keyboard.press('ArrowLeft');
        await page.getByRole('button', { name: 'Previous position', disabled: true }).waitFor();

        await page.getByTestId('engine').check();
        await page.getByTestId('lines').selectOption('2');
        const lines = page.getByTestId('engine-lines').locator('li');
        await lines.first().waitFor({ timeout: 30_000 });
        assert.match(await lines.first().innerText(), /[+−#]?\d/);
        assert.notEqual(await page.getByRole('meter').getAttribute('aria-valuetext'), '–');
        // A move of a line is played by a tap on it, and makes a variation if it is another.
        const best = lines.first().getByRole('button').first();
        // Read and tapped at once: the engine may find another line at any moment.
        const san = await best.evaluate((button) => {
          const text = button.innerText.trim();
          button.click();
          return text;
        });
        await page.getByTestId('engine').uncheck();
        await page.waitForFunction(
          ([text, count]) => document.querySelectorAll('[data-testid="moves"] [data-node]').length === count && document.querySelector('[aria-current="step"]')?.textContent.includes(text),
          [san, san === first ? 1 : 2],
        );
        const text = await page.getByTestId('fen').inputValue();
        assert.ok(text.length > 10);

        await page.locator('summary', { hasText: 'Import' }).click();
        await page.getByTestId('import').fill(`[Variant "${variant}"]\n[FEN "${longest.fen}"]\n[SetUp "1"]\n\n${
          / b /.test(longest.fen) ? `${/ (\d+)$/.exec(longest.fen)[1]}...` : '1.'
        } ${first} $1 {a comment} *`);
        await page.getByRole('button', { name: 'Open', exact: true }).click();
        await page.getByText('a comment').first().waitFor();
        assert.match(await nodes.first().innerText(), /!/);
      });
    });
  }

  it('grows a tree: variation, comment, sign, promote, delete, keys', async () => {
    await withPage('/analysis/chess?moves=e2e4,e7e5', async (page) => {
      const nodes = moves(page).locator('[data-node]');
      await nodes.nth(1).waitFor();
      await page.keyboard.press('ArrowLeft');
      await square(page, 'c7').click();
      await square(page, 'c5').click();
      await moves(page).getByRole('group', { name: 'Variation' }).waitFor();
      await page.getByRole('button', { name: 'Sign !?' }).click();
      await page.getByTestId('comment').fill('Sicilian');
      await page.getByTestId('comment').blur();
      await moves(page).getByText('Sicilian').waitFor();
      assert.match(await moves(page).innerText(), /c5!\?/);
      await page.getByRole('button', { name: 'Promote variation' }).click();
      await nodes.nth(1).filter({ hasText: /^\s*c5!\?\s*$/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      assert.match(await label(page, 'e5'), /black pawn/);
      await page.getByRole('button', { name: 'Delete from here' }).click();
      await nodes.nth(2).waitFor({ state: 'detached' });
      assert.equal(await nodes.count(), 2);
      await page.keyboard.press('Home');
      assert.match(await label(page, 'e2'), /white pawn/);
      await page.keyboard.press('f');
      const a1 = await square(page, 'a1').boundingBox();
      const h8 = await square(page, 'h8').boundingBox();
      assert.ok(a1.y < h8.y, 'the board is turned');
      await page.getByTestId('move-text').fill('Ke5');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
    });
  });

  it('says what is wrong with a game that is brought in', async () => {
    await withPage('/analysis/chess', async (page) => {
      await page.locator('summary', { hasText: 'Import' }).click();
      await page.getByTestId('import').fill('1. e4 e5 2. Ke3 *');
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      assert.match(await page.getByRole('alert').innerText(), /move 2/);
      await page.getByTestId('import').fill('8/8/8/8/8/8/8/8 w - - 0 1');
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      assert.match(await page.getByRole('alert').innerText(), /king/);
      // A game of another kind goes to the page of that kind.
      await page.getByTestId('import').fill('[Variant "Teleport"]\n\n1. R~b1 *');
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await page.waitForURL('**/analysis/teleport');
      assert.match(await moves(page).innerText(), /R~b1/);
    });
  });

  it('an impossible address is explained', async () => {
    await withPage('/analysis/chess?moves=e2e5', async (page) => {
      assert.match(await page.getByRole('alert').innerText(), /e2e5/);
    });
  });

  it('gives a picture as SVG and as PNG', async () => {
    await withPage('/analysis/porthole', async (page) => {
      await page.locator('summary', { hasText: 'Share and export' }).click();
      for (const [name, file] of [['Picture (SVG)', 'porthole.svg'], ['Picture (PNG)', 'porthole.png']]) {
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name }).click();
        const got = await download;
        assert.equal(got.suggestedFilename(), file);
        const bytes = readFileSync(await got.path());
        const head = file.endsWith('png') ? bytes.subarray(1, 4).toString() : bytes.subarray(0, 4).toString();
        assert.equal(head, file.endsWith('png') ? 'PNG' : '<svg');
        assert.ok(bytes.length > 5000);
      }
    });
  });
});

describe('the editor', () => {
  for (const { variant, lessons } of COURSES) {
    it(`${variant}: a FEN goes in and comes out, a cleared board is not possible`, async () => {
      const { fen } = lessons[lessons.length - 1];
      await withPage(`/editor/${variant}?fen=${encodeURIComponent(fen)}`, async (page) => {
        const verdict = page.locator('[role="status"][data-part], .verdict').first();
        const field = page.getByTestId('fen');
        await verdict.waitFor();
        assert.match(await verdict.innerText(), /can be played|is legal/);
        assert.equal(await field.inputValue(), fen);
        await page.getByRole('button', { name: 'Clear', exact: true }).click();
        assert.match(await verdict.innerText(), /Not possible yet: the pieces/);
        assert.equal(await page.getByRole('link', { name: 'Analyse', exact: true }).count(), 0);
        await field.fill(fen);
        await field.press('Enter');
        assert.match(await verdict.innerText(), /can be played|is legal/);
        await page.getByRole('button', { name: 'Usual start' }).click();
        await page.getByRole('link', { name: 'Analyse', exact: true }).click();
        await page.getByTestId('engine').waitFor();
      });
    });
  }

  it('puts, moves and removes by tool, by dragging and by keyboard', async () => {
    await withPage('/editor/chess', async (page) => {
      const fen = page.getByTestId('fen');
      await square(page, 'e2').click();
      await square(page, 'e4').click();
      assert.match(await fen.inputValue(), /4P3\/8\/PPPP1PPP/);
      await square(page, 'd2').dragTo(square(page, 'd4'));
      assert.match(await fen.inputValue(), /3PP3\/8\/PPP2PPP/);
      await page.locator('[data-tool="white-Q"]').click();
      await square(page, 'e3').focus();
      await page.keyboard.press('Enter');
      assert.match(await label(page, 'e3'), /white queen/);
      await page.locator('[data-tool="erase"]').click();
      await square(page, 'e3').click();
      assert.match(await label(page, 'e3'), /empty/);
      await page.getByRole('radio', { name: 'Black' }).check();
      assert.match(await fen.inputValue(), / b KQkq /);
      await page.locator('[data-right="K"]').uncheck();
      assert.match(await fen.inputValue(), / b Qkq /);
      await page.reload();
      assert.match(await fen.inputValue(), / b Qkq /, 'the address keeps the position');
    });
  });

  it('names the field that is wrong', async () => {
    await withPage('/editor/porthole', async (page) => {
      const verdict = page.locator('.verdict');
      await page.locator('[data-square="a1"]').waitFor();
      await square(page, 'a1').click();
      await square(page, 'a5').click();
      assert.match(await verdict.innerText(), /castling/);
      await page.getByRole('button', { name: 'Usual start' }).click();
      await page.getByTestId('ep-A').selectOption('e3');
      assert.match(await verdict.innerText(), /en passant/);
      await page.getByRole('button', { name: 'Random set-up' }).click();
      assert.match(await verdict.innerText(), /can be played/);
      await page.locator('[data-tool="portal-neutral"]').click();
      const before = await page.getByTestId('fen').inputValue();
      await square(page, 'a8').click();
      assert.notEqual(await page.getByTestId('fen').inputValue(), before);
      assert.match(await label(page, 'a8'), /portal/);
      await page.getByTestId('fen').fill('rnbqkbnr/ppp');
      await page.getByRole('button', { name: 'Read the FEN' }).click();
      assert.match(await verdict.innerText(), /the pieces[\s\S]*Ranks: 2; there must be 8/);
    });
  });

  it('has pockets, owned portals and declared teleports where the game has them', async () => {
    await withPage('/editor/pocketmutation', async (page) => {
      await page.locator('[data-tool="white-N"]').click();
      await pocket(page, 'black').click();
      await pocket(page, 'white').click();
      assert.match(await page.getByTestId('fen').inputValue(), /\[Nn\]/);
    });
    await withPage('/editor/portalduel', async (page) => {
      await page.locator('[data-tool="portal-white"]').click();
      await square(page, 'd4').click();
      await page.locator('[data-tool="portal-black"]').click();
      await square(page, 'e5').click();
      assert.match(await page.getByTestId('fen').inputValue(), / d4e5 /);
    });
    await withPage('/editor/twinportal', async (page) => {
      await page.locator('[data-tool="white-Q"]').click();
      await square(page, 'a4', 'B').click();
      await page.getByTestId('intent-white').selectOption('a4');
      await page.getByRole('radio', { name: 'Board A' }).check();
      await page.getByRole('radio', { name: 'Black' }).check();
      assert.match(await page.locator('.verdict').innerText(), /can be played/);
      assert.match(await page.getByTestId('fen').inputValue(), / b A .* a4\/- /);
    });
  });
});

describe('an embedded board', () => {
  for (const variant of GAMES) {
    it(`${variant}: shows the position and leads to the analysis`, async () => {
      await withPage(`/embed/${variant}?lang=es`, async (page) => {
        await board(page).waitFor();
        assert.equal(await page.locator('header nav').count(), 0);
        assert.match(await page.getByRole('link').getAttribute('href'), new RegExp(`^/analysis/${variant}`));
      });
    });
  }

  for (const [variant, width, height] of [['twinportal', 400, 400], ['chess', 320, 360]]) {
    it(`${variant} is whole in a frame of ${width} by ${height}`, async () => {
      await withPage(
        `/embed/${variant}`,
        async (page) => {
          await page.locator('[data-board]').first().waitFor();
          for (const part of ['[data-board]', '.foot a']) {
            for (const box of await page.locator(part).evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()))) {
              assert.ok(box.top >= 0 && box.bottom <= height, `${part} from ${box.top} to ${box.bottom}`);
              assert.ok(box.left >= 0 && box.right <= width, `${part} from ${box.left} to ${box.right}`);
            }
          }
        },
        { viewport: { width, height } },
      );
    });
  }
});

describe('axe finds nothing serious', () => {
  const pages = ['/', '/pieces', '/nowhere', ...GAMES.flatMap((g) => ['rules', 'analysis', 'editor', 'embed', 'play'].map((p) => `/${p}/${g}`))];
  for (const colorScheme of ['light', 'dark']) {
    for (const path of pages) {
      it(`${path}, ${colorScheme}`, async () => {
        await withPage(
          path,
          async (page) => {
            await page.locator('h1').first().waitFor();
            await page.locator('[data-board], [data-variant], h2, [role="alert"]').first().waitFor();
            await assertAccessible(page, path);
          },
          { colorScheme, expected: [/status of 404/] },
        );
      });
    }
  }
});

describe('at every width', () => {
  for (const width of [360, 768, 1280]) {
    it(`${width} px: nothing scrolls sideways`, async () => {
      for (const variant of ['pocketmutation', 'twinportal', 'splitportal', 'portalduel']) {
        for (const page of ['rules', 'analysis', 'editor', 'embed']) {
          await withPage(
            `/${page}/${variant}?lang=en`,
            async (shown) => {
              await shown.locator('[data-board]').first().waitFor();
              for (const lang of LANGS) {
                const menu = shown.locator('header .opener');
                if (page !== 'embed' && (await menu.isVisible()) && lang === 'en') await menu.click();
                if (page !== 'embed') await shown.locator('header select').selectOption(lang);
                else if (lang !== 'en') await shown.goto(shown.url().replace(/lang=\w+/, `lang=${lang}`));
                await shown.locator(`html[lang="${lang}"] [data-board]`).first().waitFor();
                const wide = await shown.evaluate(() => document.documentElement.scrollWidth);
                assert.ok(wide <= width, `${page} of ${variant} in ${lang} is ${wide} px wide`);
              }
            },
            { viewport: { width, height: 800 } },
          );
        }
      }
    });
  }
});

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
