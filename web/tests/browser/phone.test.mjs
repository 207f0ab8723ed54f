/** On a phone, what a player has to see of a game is in sight without scrolling, and under nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, withPage } from './lib.mjs';

useBrowser();

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };
const GAMES = ['chess', 'pocketmutation', 'porthole', 'portalduel', 'twinportal', 'splitportal', 'teleport'];

/** Selectors of which the element is not wholly on the screen, or lies under another at its middle or corners. */
function hidden(page, selectors) {
  return page.evaluate((all) => {
    const bad = [];
    for (const selector of all) {
      const element = document.querySelector(selector);
      if (!element) {
        bad.push(`${selector}: none`);
        continue;
      }
      const box = element.getBoundingClientRect();
      if (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth) {
        bad.push(`${selector}: ${Math.round(box.top)}–${Math.round(box.bottom)} of ${innerHeight}`);
        continue;
      }
      const points = [0.1, 0.5, 0.9].map((y) => [box.left + box.width / 2, box.top + box.height * y]);
      const free = points.every(([x, y]) => {
        const top = document.elementFromPoint(x, y);
        return top && (element.contains(top) || top.closest('.told') === element.closest('.told') && top.closest('.told'));
      });
      if (!free) bad.push(`${selector}: covered`);
    }
    return bad;
  }, selectors);
}

for (const variant of GAMES) {
  test(`${variant}: status, actions and result are in sight on a phone`, async () => {
    await withPage(
      `/play/${variant}?side=white&level=1`,
      async (page) => {
        await page.waitForSelector('[data-pickable]');
        await page.waitForTimeout(300);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${variant}.png` });
        assert.deepEqual(await hidden(page, ['.status .now', '.actions .button:first-child', '.side.own .player']), []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `the page is ${wide} px too wide`);

        // No rook goes from its corner to the far one on the first move.
        await page.locator('[data-square="a1"]').first().click();
        await page.locator('[data-square="h8"]').first().click({ force: true });
        await page.waitForFunction(() => document.querySelector('[data-testid="hint"]').textContent !== '');
        assert.deepEqual(await hidden(page, ['[data-testid="hint"]']), []);

        const resign = page.locator('.actions .button', { hasText: 'Resign' });
        await resign.click();
        await page.locator('.actions .button.danger').click();
        await page.waitForSelector('[data-testid="result"]');
        await page.waitForTimeout(200);
        assert.deepEqual(await hidden(page, ['[data-testid="result"]', '.actions .button:first-child']), []);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${variant}-end.png` });
      },
      PHONE,
    );
  });
}

test('no page scrolls sideways at 320 and 360 px', async () => {
  for (const width of [320, 360]) {
    for (const path of ['/', '/play/chess', '/analysis/chess', '/rules/chess', '/games']) {
      await withPage(
        path,
        async (page) => {
          await page.waitForSelector('h1', { state: 'attached' });
          const explorer = page.locator('details.plain > summary');
          if (path.startsWith('/analysis')) {
            await explorer.click();
            await page.waitForTimeout(500);
          }
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(wide <= 0, `${path} is ${wide} px too wide at ${width}`);
        },
        { viewport: { width, height: 700 } },
      );
    }
  }
});
