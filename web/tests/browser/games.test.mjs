/** Each game is played in the page against the computer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOver, playAnything, playPath, plies, random, useBrowser, waitForTurn, withPage } from './lib.mjs';

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
