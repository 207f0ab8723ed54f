/** Each special move is made on purpose, from a position in which it is near. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  board,
  dialog,
  label,
  lastSan,
  play,
  playPath,
  plies,
  pocket,
  square,
  status,
  useBrowser,
  waitForTurn,
  withPage,
} from './lib.mjs';

useBrowser();

describe('chess', () => {
  const fen = '4k3/1P6/8/8/8/8/8/4K3 w - - 0 1';

  it('a promotion is cancelled, then chosen', async () => {
    await withPage(playPath('chess', { fen }), async (page) => {
      await square(page, 'b7').click();
      await square(page, 'b8').click();
      await dialog(page).waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await dialog(page).count(), 0);
      assert.match(await label(page, 'b7'), /white pawn/);
      assert.equal(await plies(page), 0);

      await square(page, 'b7').click();
      await square(page, 'b8').click();
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await plies(page), 0);

      await square(page, 'b7').click();
      await square(page, 'b8').click();
      await square(page, 'h4').click();
      assert.equal(await dialog(page).count(), 0, 'a tap elsewhere cancels');
      assert.equal(await plies(page), 0);

      await play(page, square(page, 'b7'), square(page, 'b8'), dialog(page).getByRole('button', { name: 'Rook' }));
      assert.match(await lastSan(page, 2), /^b8=R\+?$/);
      assert.match(await label(page, 'b8'), /white rook/);
    });
  });

  it('mate is shown with its reason', async () => {
    await withPage(playPath('chess', { fen: '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1' }), async (page) => {
      await square(page, 'f7').click();
      await square(page, 'g7').click();
      await page.getByTestId('result').waitFor();
      assert.match(await page.getByTestId('result').innerText(), /You win[\s\S]*White wins: checkmate/);
      assert.match(await status(page).innerText(), /checkmate/);
      assert.match(await label(page, 'h8'), /in check/);
    });
  });
});

describe('teleport', () => {
  it('a tap on an own piece that can exchange makes the exchange; on another selects that one', async () => {
    await withPage(playPath('teleport'), async (page) => {
      await square(page, 'a1').click();
      assert.equal(await square(page, 'b1').getAttribute('data-target'), 'swap');
      await square(page, 'g1').click();
      assert.equal(await square(page, 'g1').getAttribute('aria-selected'), 'true');
      assert.equal(await plies(page), 0);
      await play(page, square(page, 'a1'), square(page, 'b1'));
      assert.equal(await lastSan(page, 2), 'R~b1');
      assert.match(await label(page, 'a1'), /white knight/);
      assert.match(await label(page, 'b1'), /white rook/);
    });
  });

  it('a pawn that an exchange puts on its last rank promotes by a choice', async () => {
    await withPage(playPath('teleport', { fen: '7R/7P/8/8/8/4k3/8/K7 w - - 0 1' }), async (page) => {
      await square(page, 'h8').click();
      await square(page, 'h7').click();
      await dialog(page).getByRole('button', { name: 'Queen' }).click();
      await waitForTurn(page, 2);
      assert.match(await lastSan(page, 2), /^R~h7=Q/);
      assert.match(await label(page, 'h8'), /white queen/);
    });
  });
});

describe('pocketmutation', () => {
  const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2';

  it('into the pocket with a choice, out of it again', async () => {
    await withPage(playPath('pocketmutation', { fen }), async (page) => {
      await square(page, 'h1').click();
      await pocket(page).click();
      const names = await dialog(page).locator('[data-choice]').allInnerTexts();
      assert.deepEqual(names.map((n) => n.trim().toLowerCase()).sort(), ['nightrider', 'rook', 'superbishop']);
      await page.keyboard.press('Escape');
      assert.equal(await plies(page), 0);
      assert.match(await label(page, 'h1'), /white rook/);

      await play(page, square(page, 'h1'), pocket(page), dialog(page).getByRole('button', { name: 'Nightrider' }));
      assert.equal(await lastSan(page, 2), 'Rh1^I');
      assert.match(await label(page, 'h1'), /empty/);
      assert.match(await pocket(page).getAttribute('aria-label'), /white nightrider/);

      await pocket(page).click();
      assert.equal(await square(page, 'f4').getAttribute('data-target'), 'drop');
      const made = await plies(page);
      await square(page, 'f4').click();
      await waitForTurn(page, made + 2);
      assert.match(await lastSan(page, 2), /^I@f4/);
      assert.match(await pocket(page).getAttribute('aria-label'), /empty/);
    });
  });

  it('by dragging into the pocket and out of it', async () => {
    await withPage(playPath('pocketmutation', { fen }), async (page) => {
      await square(page, 'b1').dragTo(pocket(page));
      await dialog(page).getByRole('button', { name: 'Bishop' }).click();
      await waitForTurn(page, 2);
      await pocket(page).dragTo(square(page, 'e4'));
      await waitForTurn(page, 4);
      assert.match(await lastSan(page, 2), /^B@e4/);
    });
  });

  it('from the last rank it is a promotion', async () => {
    await withPage(playPath('pocketmutation', { fen: 'P3k3/8/8/8/8/8/8/4K3[] w - - 0 5' }), async (page) => {
      await square(page, 'a8').click();
      await pocket(page).click();
      assert.match(await dialog(page).getAttribute('aria-label'), /Promotes/);
      await dialog(page).getByRole('button', { name: 'Knight' }).click();
      await waitForTurn(page, 2);
      assert.match(await pocket(page).getAttribute('aria-label'), /white knight/);
    });
  });
});

describe('porthole', () => {
  const fen = '2bqkbr1/3n4/1pp4p/2Pnp1P1/1P1P4/2P1P3/P6P/RNB2K1B w - - h1f3b5b5c5e5c6g7 0 26';

  it('through a portal: the exit is chosen on the board, and can be taken back before', async () => {
    await withPage(playPath('porthole', { fen }), async (page) => {
      assert.match(await label(page, 'b5'), /2 portals/);
      await square(page, 'd4').click();
      assert.equal(await square(page, 'e5').getAttribute('data-target'), 'enter');
      await square(page, 'e5').click();
      assert.deepEqual(
        (await dialog(page).locator('[data-choice]').allInnerTexts()).map((n) => n.trim().slice(-2)).sort(),
        ['b5', 'f3', 'g7'],
      );
      await page.keyboard.press('Escape');
      assert.match(await label(page, 'd4'), /white pawn/);

      const made = await plies(page);
      await square(page, 'd4').click();
      await square(page, 'e5').click();
      await square(page, 'g7').click();
      await waitForTurn(page, made + 2);
      assert.match(await lastSan(page, 2), /^dxe5→g7/);
    });
  });

  it('the exit by a button; the portal goes where the piece came from', async () => {
    await withPage(playPath('porthole', { fen }), async (page) => {
      await square(page, 'd4').click();
      await square(page, 'e5').click();
      await dialog(page).getByRole('button', { name: /f3/ }).click();
      await waitForTurn(page, 2);
      await page.getByRole('button', { name: 'First position' }).click();
      await page.getByRole('button', { name: 'Next position' }).click();
      assert.match(await label(page, 'f3'), /white pawn.*portal/);
      assert.match(await label(page, 'd4'), /empty, portal/);
      assert.match(await label(page, 'e5'), /^e5: empty$/);
    });
  });
});

describe('portalduel', () => {
  it('the portals are placed first', async () => {
    await withPage(playPath('portalduel'), async (page) => {
      await waitForTurn(page, 0);
      assert.equal(await board(page).locator('[data-target]').count(), 8);
      await play(page, square(page, 'c4'));
      assert.equal(await lastSan(page, 2), 'O@c4');
      assert.match(await label(page, 'c4'), /portal of White/);
    });
  });

  it('a rook travels through the portals and on', async () => {
    await withPage(playPath('portalduel', { fen: '4k3/8/8/8/R7/8/8/4K3 w - - d4c7 0 10' }), async (page) => {
      await square(page, 'a4').click();
      assert.equal(await square(page, 'f7').getAttribute('data-target'), 'travel');
      const made = await plies(page);
      await square(page, 'f7').click();
      await waitForTurn(page, made + 2);
      assert.match(await lastSan(page, 2), /^Rd4→f7/);
    });
  });

  it('a portal moves; on a square with a piece a second tap or the chip takes the portal', async () => {
    await withPage(playPath('portalduel', { fen: '4k3/8/8/8/R7/8/8/4K3 w - - a4h6 0 10' }), async (page) => {
      await square(page, 'a4').click();
      assert.equal(await square(page, 'h4').getAttribute('data-target'), 'move');
      await page.getByRole('button', { name: 'Take the portal' }).click();
      assert.equal(await square(page, 'h4').getAttribute('data-target'), null);
      await page.keyboard.press('Escape');
      await square(page, 'a4').click();
      await square(page, 'a4').click();
      const made = await plies(page);
      await square(page, 'b5').click();
      await waitForTurn(page, made + 2);
      assert.equal(await lastSan(page, 2), 'Ob5');
    });
  });

  it('a black hole takes everything around it', async () => {
    await withPage(playPath('portalduel', { fen: '4k3/8/8/4n3/8/3R4/8/K7 w - - d4d5 0 10' }), async (page) => {
      await square(page, 'd4').click();
      await play(page, square(page, 'd5'));
      assert.equal(await lastSan(page, 2), 'Od5');
      assert.match(await label(page, 'd5'), /black hole/);
      assert.match(await label(page, 'd3'), /white rook/);
      assert.match(await label(page, 'e5'), /empty/);
    });
  });
});

describe('twinportal', () => {
  const fen =
    'rnbq1bnr/pppppppp/8/8/Q7/8/PPPPPPPP/RNB1KBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w A KQ|kq -|- -/- 0 1';

  it('an intent and its teleport', async () => {
    await withPage(playPath('twinportal', { fen }), async (page) => {
      assert.match(await board(page, 'A').getAttribute('aria-label'), /White moves here/);
      await square(page, 'a4').click();
      assert.equal(await square(page, 'a4', 'B').getAttribute('data-target'), 'declare');
      const made = await plies(page);
      await square(page, 'a4', 'B').click();
      await waitForTurn(page, made + 2);
      assert.equal(await lastSan(page, 2), 'QAa4→');
      assert.match(await label(page, 'a4'), /white queen, will teleport to a4 \(B\)/);
      assert.match(await board(page, 'B').getAttribute('aria-label'), /White moves here/);
      await page.getByRole('button', { name: /^Teleport to a4 \(B\)/ }).click();
      await waitForTurn(page, made + 4);
      assert.match(await lastSan(page, 2), /^QAa4→x?Ba4/);
      assert.match(await label(page, 'a4'), /empty/);
    });
  });

  it('a move on the board that is not due is refused, with the reason', async () => {
    await withPage(playPath('twinportal'), async (page) => {
      await square(page, 'e2', 'B').click();
      await page.getByText('It is not the turn of that board: White to move on board A.').waitFor();
      assert.equal(await plies(page), 0);
    });
  });
});

describe('splitportal', () => {
  it('has one board with both areas, and an intent across the line', async () => {
    const fen = 'rnbq/pppp/4/4/Q3/4/PPPP/RNB1|kbnr/pppp/4/4/4/4/PPPP/KBNR w A -|Kk -|- -/- 0 1';
    await withPage(playPath('splitportal', { fen }), async (page) => {
      await board(page).waitFor();
      assert.equal(await page.locator('[data-board]').count(), 1);
      assert.equal(await board(page).locator('[data-square]').count(), 64);
      await square(page, 'a4').click();
      assert.equal(await square(page, 'e4').getAttribute('data-target'), 'declare');
      await page.getByRole('button', { name: 'Declare teleport to e4' }).click();
      await waitForTurn(page, 2);
      await page.getByRole('button', { name: 'Teleport to e4' }).click();
      await waitForTurn(page, 4);
      assert.match(await lastSan(page, 2), /^QAa4→x?Be4/);
    });
  });
});
