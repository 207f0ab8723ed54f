/** Nothing jumps when a move is made. How long a move takes to be seen is printed: that depends on what else the machine does. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { holdComputer, playPath, square, useBrowser, waitForPlies, withPage } from './lib.mjs';

useBrowser();

const POCKET = '1uh1kb1r/pp2p2p/2n2np1/3p4/3P1I2/2N1PN2/PPP1GPPP/R1BQK2R[Ta] w - - 0 12';
const GAMES = {
  chess: [undefined, 'e2', 'e4'],
  pocketmutation: [POCKET, 'e1', 'f1'],
  porthole: [undefined, 'g1', 'f3'],
  twinportal: [undefined, 'e2', 'e4'],
};

describe('on a processor four times slower', () => {
  for (const [variant, [fen, from, to]] of Object.entries(GAMES)) {
    it(`${variant}: from the tap to the picture, and no layout shift`, async () => {
      await withPage(
        playPath(variant, { fen }),
        async (page, context) => {
          await square(page, from).waitFor();
          await page.evaluate(() => {
            window.shifts = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) window.shifts += entry.value;
            }).observe({ type: 'layout-shift' });
            window.delays = [];
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) {
                if (entry.name === 'pointerup' || entry.name === 'pointerdown') window.delays.push(entry.duration);
              }
            }).observe({ type: 'event', durationThreshold: 16 });
          });
          const cdp = await context.newCDPSession(page);
          await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
          await page.waitForTimeout(300);
          await square(page, from).click();
          await square(page, to).click();
          await waitForPlies(page, 1);
          await page.waitForTimeout(1500);
          const { shifts, delays } = await page.evaluate(() => ({ shifts: window.shifts, delays: window.delays }));
          const worst = Math.max(0, ...delays);
          console.log(`${variant}: at most ${worst} ms from input to picture, layout shift ${shifts.toFixed(4)}`);
          assert.equal(shifts, 0, 'nothing jumps');
        },
        { prepare: holdComputer },
      );
    });
  }
});
