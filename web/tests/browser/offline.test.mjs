/** Without a network: rules, tutorial, analysis, and a game against the computer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { play, playPath, square, useBrowser, waitForTurn, withPage } from './lib.mjs';

useBrowser();

/** What the browser says when it has no network. */
const expected = [/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/];

describe('offline', () => {
  it('rules, analysis, editor and the computer go on after the network is gone', async () => {
    await withPage(
      '/',
      async (page, context) => {
        await page.locator('[data-variant]').first().waitFor();
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
        // The engine comes when the page has come to rest.
        const kept = () =>
          page.evaluate(async () => {
            const names = await caches.keys();
            const keys = await Promise.all(names.map(async (n) => (await caches.open(n)).keys()));
            return keys.flat().some((k) => /engine-.*\.wasm$/.test(k.url));
          });
        for (let i = 0; i < 120 && !(await kept()); i++) await page.waitForTimeout(500);
        assert.ok(await kept(), 'the engine is kept');
        await context.setOffline(true);

        await page.goto(new URL('/rules/portalduel', page.url()).href);
        await page.locator('[data-lesson]').waitFor();
        await square(page, 'e4').click();
        await page.locator('[data-lesson][data-verdict="done"]').waitFor();

        await page.goto(new URL('/analysis/teleport', page.url()).href);
        await page.getByTestId('engine').check();
        await page.getByTestId('engine-lines').locator('li').first().waitFor({ timeout: 30_000 });

        await page.goto(new URL('/editor/splitportal/', page.url()).href);
        await page.locator('.verdict').waitFor();

        await page.goto(new URL(playPath('chess'), page.url()).href);
        await play(page, square(page, 'e2'), square(page, 'e4'));
        await waitForTurn(page, 2);
      },
      { serviceWorkers: 'allow', expected },
    );
  });

  it('the site can be installed', async () => {
    await withPage('/', async (page) => {
      const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
      assert.equal(manifest.display, 'standalone');
      for (const icon of manifest.icons) {
        const answer = await page.evaluate(async (src) => {
          const response = await fetch(src);
          return { ok: response.ok, type: response.headers.get('content-type') };
        }, icon.src);
        assert.ok(answer.ok, icon.src);
        assert.match(answer.type, new RegExp(icon.type.replace('+', '\\+')));
      }
    });
  });

  it('the first visit fetches less than 300 kB before the engine', async () => {
    let bytes = 0;
    const files = [];
    await withPage(
      '/',
      async (page) => {
        await page.locator('[data-variant]').first().waitFor();
        assert.ok(bytes < 300_000, `${bytes} bytes: ${files.join(', ')}`);
        assert.ok(!files.some((f) => f.includes('engine-')), 'no engine before it is needed');
      },
      {
        prepare: async (page, context) => {
          const session = await context.newCDPSession(page);
          await session.send('Network.enable');
          session.on('Network.responseReceived', ({ response }) => files.push(new URL(response.url).pathname));
          session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
        },
      },
    );
  });
});
