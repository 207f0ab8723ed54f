/** Without a network: rules, tutorial, analysis, and a game against the computer. */
import assert from 'node:assert/strict';
import { createServer, request as ask } from 'node:http';
import { describe, it } from 'node:test';
import { BASE_URL, play, playPath, square, useBrowser, waitForTurn, withPage } from './lib.mjs';

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

  it('a newer version is used when the person agrees, not before', async () => {
    const site = await changingSite();
    try {
      await withPage(
        site.url,
        async (page) => {
          await page.locator('[data-variant]').first().waitFor();
          await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
          await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
          // The next load is the kept version's.
          await page.reload();
          await page.locator('[data-variant]').first().waitFor();
          const prompt = page.locator('aside.update');
          assert.equal(await prompt.count(), 0, 'nothing newer, no question');

          site.change();
          await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
          await prompt.waitFor();
          const versions = () => page.evaluate(async () => (await caches.keys()).filter((n) => n.startsWith('warpchess-')));
          assert.equal((await versions()).length, 2, 'the newer one waits beside the older');
          await page.evaluate(() => (window.same = true));
          await prompt.getByRole('button').last().click();
          assert.equal(await prompt.count(), 0, 'later means not now');
          assert.equal(await page.evaluate(() => window.same), true, 'the page was left alone');

          await page.reload();
          await prompt.waitFor();
          await page.evaluate(() => (window.same = true));
          await prompt.getByRole('button').first().click();
          await page.waitForFunction(() => window.same === undefined);
          await page.locator('[data-variant]').first().waitFor();
          await page.waitForFunction(async () => (await caches.keys()).filter((n) => n.startsWith('warpchess-')).length === 1);
          assert.ok((await versions())[0].endsWith('-newer'), 'what is kept is the newer one');
          assert.equal(await prompt.count(), 0);
        },
        // What stands between passes on questions and answers, no connection that stays.
        { serviceWorkers: 'allow', expected: [/WebSocket connection/] },
      );
    } finally {
      site.close();
    }
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

/** The site at an address of its own, of which another version can appear. */
async function changingSite() {
  let newer = false;
  const server = createServer((from, to) => {
    const target = new URL(from.url, BASE_URL);
    const headers = { ...from.headers, host: target.host, 'accept-encoding': 'identity' };
    const there = ask(target, { method: from.method, headers }, (reply) => {
      if (from.url !== '/sw.js') {
        to.writeHead(reply.statusCode, reply.headers);
        reply.pipe(to);
        return;
      }
      let text = '';
      reply.setEncoding('utf8').on('data', (part) => (text += part));
      reply.on('end', () => {
        const told = newer ? text.replace(/(VERSION\s*=\s*["'`][^"'`]*)/, '$1-newer') : text;
        to.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' });
        to.end(told);
      });
    });
    there.on('error', () => to.destroy());
    from.pipe(there);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    change: () => (newer = true),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
