/** axe finds nothing serious, in both themes and in the states that a game comes through. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { dialog, playPath, pocket, square, useBrowser, withPage } from './lib.mjs';

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function serious(page) {
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter((v) => v.impact === 'serious' || v.impact === 'critical')
      .map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join('; ')})`);
  });
  return found;
}

const POCKET = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2';
const STATES = {
  home: ['/', async () => undefined],
  pieces: ['/pieces', async () => undefined],
  'a piece picked up': [playPath('chess'), (page) => square(page, 'e2').click()],
  'an exchange': [playPath('teleport'), (page) => square(page, 'a1').click()],
  'a choice for the pocket': [
    playPath('pocketmutation', { fen: POCKET }),
    async (page) => {
      await square(page, 'h1').click();
      await pocket(page).click();
      await dialog(page).waitFor();
    },
  ],
  portals: [playPath('porthole'), (page) => square(page, 'g1').click()],
  'a portal to place': [playPath('portalduel'), async () => undefined],
  'two boards': [playPath('twinportal'), async () => undefined],
  'a divided board': [playPath('splitportal'), async () => undefined],
  'the archive': ['/games', (page) => page.locator('[data-game], [data-testid="none"]').first().waitFor()],
  'the explorer': ['/explorer/porthole', (page) => page.locator('.empty, table').first().waitFor()],
  settings: [playPath('chess'), (page) => page.getByRole('button', { name: 'Settings' }).click()],
};

describe('axe', () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, [path, prepare]] of Object.entries(STATES)) {
      it(`${name}, ${colorScheme}`, async () => {
        await withPage(
          path,
          async (page) => {
            await page.locator('[data-board], [data-variant], h2').first().waitFor();
            await prepare(page);
            await page.waitForTimeout(200);
            await page.addScriptTag({ content: axe });
            assert.deepEqual(await serious(page), []);
          },
          // The policy of the page forbids scripts from elsewhere.
          { colorScheme, bypassCSP: true },
        );
      });
    }
  }
});
