/** Games that are brought, looked for, explored and analysed by the server. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { BASE_URL, label, square, useBrowser, withPage } from './lib.mjs';

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the browser says of an answer that is a refusal. */
const expected = [/Failed to load resource/];

/** Names of their own for each run: a server may be used more than once. */
const run = Math.random().toString(36).slice(2, 8);
const ANN = `Ann${run}`;
const BOB = `Bob${run}`;
const GAMES = `[White "${ANN}"]
[Black "${BOB}"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "${ANN}"]
[Black "${BOB}"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
`;

let imported = null;

/** The two games above, brought once. */
function games() {
  imported ??= fetch(new URL('/api/import', BASE_URL), {
    method: 'POST',
    headers: { 'content-type': 'application/x-chess-pgn' },
    body: GAMES,
  }).then(async (reply) => {
    const text = await reply.text();
    assert.ok(reply.ok, text);
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line).id);
  });
  return imported;
}

const rows = (page) => page.getByTestId('games').first().locator('[data-game]');

describe('the archive', () => {
  it('takes games in, and says what is wrong with a PGN', async () => {
    await withPage(
      '/games',
      async (page) => {
        await page.getByText('Bring games').click();
        const text = page.getByTestId('pgn');
        await text.fill('1. e4 e5 2. Ke3 *');
        await page.getByRole('button', { name: 'Import', exact: true }).click();
        await page.getByText('Nothing was imported.').waitFor();
        await text.fill(`[White "Only${run}"]\n\n1. d4 d5 *`);
        await page.getByRole('button', { name: 'Import', exact: true }).click();
        await page.getByText('Games imported: 1').waitFor();
      },
      { expected },
    );
  });

  it('finds games by player, result and opening, and keeps the question in the address', async () => {
    await games();
    await withPage('/games', async (page) => {
      const player = page.locator('[name="player"]');
      const search = page.getByRole('button', { name: 'Search' });
      await player.fill(ANN);
      await search.click();
      await page.waitForFunction(() => document.querySelectorAll('[data-testid="games"] [data-game]').length === 2);
      assert.match(page.url(), new RegExp(`player=${ANN}`));

      await page.locator('[name="result"]').selectOption('win');
      await search.click();
      await page.waitForFunction(() => document.querySelectorAll('[data-testid="games"] [data-game]').length === 1);
      assert.match(await rows(page).first().textContent(), /1–0/);

      await page.locator('[name="result"]').selectOption('');
      await page.getByText('More to look for').click();
      await page.locator('[name="line"]').fill('1. e4 e5 2. Bc4');
      await search.click();
      await page.getByRole('alert').waitFor();
      assert.match(await page.getByRole('alert').textContent(), /choose a game/);
      await page.locator('[name="variant"]').selectOption('chess');
      await search.click();
      await page.waitForFunction(() => document.querySelector('[data-testid="games"] .score')?.textContent === '1–0');
      assert.match(page.url(), /line=e2e4(%2C|,)e7e5(%2C|,)f1c4/);

      await page.locator('[name="line"]').fill('1. e4 e4');
      await search.click();
      assert.match(await page.getByRole('alert').textContent(), /Move 2/);

      const pgn = await page.evaluate(async () => {
        const link = [...document.querySelectorAll('a[download]')].find((a) => a.textContent === 'PGN');
        return (await fetch(link.href)).text();
      });
      assert.match(pgn, new RegExp(`Black "${BOB}"`));

      await page.goto(page.url());
      await rows(page).first().waitFor();
      assert.equal(await page.locator('[name="player"]').inputValue(), ANN);

      await page.locator('[name="player"]').fill(`nobody${run}`);
      await page.locator('[name="line"]').fill('');
      await search.click();
      await page.getByTestId('none').waitFor();
    });
  });

  it('is there in words when the server is not', async () => {
    await withPage(
      '/games?lang=es',
      async (page) => {
        await page.getByText('No se puede conectar con el servidor').waitFor();
        await page.unroute('**/api/archive?*');
        await page.getByRole('button', { name: 'Intentar de nuevo' }).click();
        await page.locator('[data-game], [data-testid="none"]').first().waitFor();
      },
      { expected: [/ERR_FAILED/, /Failed to load/], prepare: (page) => page.route('**/api/archive?*', (route) => route.abort()) },
    );
  });
});

describe('the explorer', () => {
  it('shows what was played and plays it on the board', async () => {
    await games();
    await withPage('/explorer/chess', async (page) => {
      await page.locator('[name="mode-import"]').check();
      const e4 = page.locator('[data-explored="e2e4"]');
      await e4.waitFor();
      await e4.click();
      await page.waitForURL(/moves=e2e4/);
      assert.match(await label(page, 'e4'), /pawn/i);
      const e5 = page.locator('[data-explored="e7e5"]');
      await e5.waitFor();
      assert.match(await page.getByTestId('explorer').getByRole('img').first().getAttribute('aria-label'), /White \d+ %/);

      // A move of one's own is answered as well, also where nobody has been.
      await square(page, 'h7').click();
      await square(page, 'h5').click();
      await page.getByTestId('explorer').locator('.empty, table').first().waitFor();
      await page.getByRole('button', { name: 'Previous position' }).click();
      await e5.waitFor();
    });
  });

  it('is a part of the analysis board', async () => {
    await games();
    await withPage('/analysis/chess', async (page) => {
      await page.getByText('Explorer', { exact: true }).last().click();
      await page.locator('[name="mode-import"]').check();
      await page.locator('[data-explored="e2e4"]').click();
      await page.locator('[data-testid="moves"] [data-uci="e2e4"]').waitFor();
    });
  });
});

describe('an analysis by the server', () => {
  it('is for those who have an account', async () => {
    const [id] = await games();
    await withPage(
      `/analysis/chess?game=${id}`,
      async (page) => {
        await page.getByText(`${ANN} – ${BOB}`).waitFor();
        await page.getByRole('button', { name: 'Analyse this game' }).click();
        await page.getByTestId('review').getByRole('alert').waitFor();
        assert.match(await page.getByTestId('review').getByRole('alert').textContent(), /account/);
      },
      { expected },
    );
  });

  it('marks mistakes in the moves, draws a graph, and shows what was better', async () => {
    const [id] = await games();
    await withPage(
      '/games',
      async (page) => {
        const made = await page.evaluate(async (username) => {
          const body = JSON.stringify({ username, password: 'a long enough word' });
          const reply = await fetch('/api/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
          return [reply.status, await reply.text()];
        }, `r${run}`);
        assert.ok(made[0] < 300, made.join(' '));
        await page.goto(new URL(`/analysis/chess?game=${id}`, BASE_URL).href);
        await page.getByRole('button', { name: 'Analyse this game' }).click();
        await page.locator('[data-testid="review"][data-state="done"]').waitFor({ timeout: 240_000 });
        const blunder = page.locator('[data-testid="moves"] [data-uci="g2g4"]');
        assert.match(await blunder.textContent(), /\?\?/);
        await blunder.click();
        const better = page.getByTestId('review').locator('.move');
        await better.click();
        await page.locator('.variation').waitFor();
        await page.locator('.graph').click({ position: { x: 4, y: 40 } });
        assert.match(await label(page, 'f2'), /pawn/i);
        await page.evaluate(axe);
        const found = await page.evaluate(async () => (await window.axe.run(document)).violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => v.id));
        assert.deepEqual(found, []);
      },
      { expected, bypassCSP: true },
    );
  });
});
