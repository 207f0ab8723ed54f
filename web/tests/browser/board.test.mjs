/** The board itself: decisions in advance, drawing, choices, words, sounds and looks. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answer,
  dialog,
  holdComputer,
  isOver,
  label,
  lastSan,
  moves,
  play,
  playPath,
  plies,
  pocket,
  square,
  status,
  useBrowser,
  waitForPlies,
  waitForTurn,
  withPage,
} from './lib.mjs';

useBrowser();

const hint = (page) => page.getByTestId('hint');
const held = { prepare: holdComputer };

/** Plays the moves, with the computer held, and waits until a next one can be decided. */
async function thenDecide(page, ...steps) {
  const made = await plies(page);
  for (const step of steps) await step.click();
  await waitForPlies(page, made + 1);
  await page.locator('[data-premovable]').first().waitFor();
}

describe('a move decided in advance', () => {
  it('is played when its turn comes', async () => {
    await withPage(playPath('chess'), async (page) => {
      await thenDecide(page, square(page, 'e2'), square(page, 'e4'));
      await square(page, 'g1').click();
      assert.equal(await square(page, 'f3').getAttribute('data-target'), 'move');
      await square(page, 'f3').click();
      assert.match(await label(page, 'f3'), /decided for the next turn/);
      assert.match(await hint(page).innerText(), /Decided for your next turn: g1f3/);
      await answer(page, 'e7e5');
      await waitForPlies(page, 3);
      assert.equal(await lastSan(page), 'Nf3');
      assert.doesNotMatch(await label(page, 'f3'), /decided/);
    }, held);
  });

  it('may be made by dragging, and recaptures on an own square', async () => {
    await withPage(playPath('chess', { fen: 'rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/2N5/PPP2PPP/R1BQKBNR w KQkq - 0 3' }), async (page) => {
      await thenDecide(page, square(page, 'a2'), square(page, 'a3'));
      await square(page, 'c3').dragTo(square(page, 'e4'));
      assert.match(await label(page, 'e4'), /white pawn, decided for the next turn/);
      await answer(page, 'd5e4');
      await waitForPlies(page, 3);
      assert.equal(await lastSan(page), 'Nxe4');
    }, held);
  });

  it('is dropped, with a word, when it is not legal then, and nothing else is played', async () => {
    await withPage(playPath('chess'), async (page) => {
      await thenDecide(page, square(page, 'e2'), square(page, 'e4'));
      await square(page, 'e4').click();
      await square(page, 'e5').click();
      await answer(page, 'e7e5');
      await page.getByText('The move decided in advance is not legal now').waitFor();
      assert.equal(await plies(page), 2);
      await page.waitForTimeout(300);
      assert.equal(await plies(page), 2);
      // The turn is the person's, and moves are made as ever.
      await square(page, 'd2').click();
      await square(page, 'd4').click();
      await waitForPlies(page, 3);
    }, held);
  });

  it('is taken back by Escape, by a tap elsewhere, by the right button, and by its own button', async () => {
    await withPage(playPath('chess'), async (page) => {
      await thenDecide(page, square(page, 'e2'), square(page, 'e4'));
      const decide = async () => {
        await square(page, 'g1').click();
        await square(page, 'f3').click();
        await page.locator('[data-cancel-premove]').waitFor();
      };
      const ways = [
        () => page.keyboard.press('Escape'),
        () => square(page, 'd5').click(),
        () => square(page, 'd5').click({ button: 'right' }),
        () => page.locator('[data-cancel-premove]').click(),
      ];
      for (const takeBack of ways) {
        await decide();
        await square(page, 'g1').focus();
        await takeBack();
        await page.locator('[data-cancel-premove]').waitFor({ state: 'detached' });
      }
      await answer(page, 'e7e5');
      await waitForTurn(page, 2);
      assert.equal(await plies(page), 2, 'nothing was played');
    }, held);
  });

  it('is not sent for another position: after taking back it is gone', async () => {
    await withPage(playPath('chess'), async (page) => {
      await thenDecide(page, square(page, 'e2'), square(page, 'e4'));
      await square(page, 'g1').click();
      await square(page, 'f3').click();
      await page.getByRole('button', { name: 'Take back', exact: true }).click();
      assert.equal(await plies(page), 0);
      assert.equal(await page.locator('[data-cancel-premove]').count(), 0);
      await thenDecide(page, square(page, 'd2'), square(page, 'd4'));
      await answer(page, 'd7d5');
      await waitForTurn(page, 2);
      assert.equal(await plies(page), 2);
    }, held);
  });

  it('keeps the piece in hand when the turn comes while it is being moved', async () => {
    await withPage(playPath('chess'), async (page) => {
      await thenDecide(page, square(page, 'e2'), square(page, 'e4'));
      await square(page, 'g1').click();
      await answer(page, 'e7e5');
      await waitForTurn(page, 2);
      assert.equal(await square(page, 'g1').getAttribute('aria-selected'), 'true');
      await square(page, 'f3').click();
      await waitForPlies(page, 3);
      assert.equal(await lastSan(page), 'Nf3');
    }, held);
  });

  it('an exchange', async () => {
    await withPage(playPath('teleport'), async (page) => {
      await thenDecide(page, square(page, 'a1'), square(page, 'b1'));
      await square(page, 'c1').click();
      assert.equal(await square(page, 'd2').getAttribute('data-target'), 'swap');
      await square(page, 'd2').click();
      await answer(page, 'a8b8');
      await waitForPlies(page, 3);
      assert.equal(await lastSan(page), 'B~d2');
    }, held);
  });

  it('into the pocket with its choice, which can be cancelled; then out of it', async () => {
    const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2';
    await withPage(playPath('pocketmutation', { fen }), async (page) => {
      await thenDecide(page, square(page, 'e2'), square(page, 'e4'));
      await square(page, 'h1').click();
      await pocket(page).click();
      await dialog(page).waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('[data-cancel-premove]').count(), 0);
      await square(page, 'h1').dragTo(pocket(page));
      await dialog(page).getByRole('button', { name: 'SuperBishop' }).click();
      await answer(page, 'a7a6');
      await waitForPlies(page, 3);
      assert.equal(await lastSan(page), 'Rh1^D');
      await page.locator('[data-premovable]').first().waitFor();
      await pocket(page).click();
      assert.equal(await square(page, 'd4').getAttribute('data-target'), 'drop');
      await square(page, 'd4').click();
      await answer(page, 'a6a5');
      await waitForPlies(page, 5);
      assert.match(await lastSan(page), /^D@d4/);
    }, held);
  });

  it('through a portal with its exit', async () => {
    const fen = '2bqkbr1/3n4/1pp4p/2Pnp1P1/1P1P4/2P1P3/P6P/RNB2K1B w - - h1f3b5b5c5e5c6g7 0 26';
    await withPage(playPath('porthole', { fen }), async (page) => {
      await thenDecide(page, square(page, 'a2'), square(page, 'a3'));
      await square(page, 'd4').click();
      await square(page, 'e5').click();
      await square(page, 'f3').click();
      await page.locator('[data-cancel-premove]').waitFor();
      await answer(page, 'h6h5');
      await waitForPlies(page, 3);
      assert.match(await lastSan(page), /^dxe5→f3/);
    }, held);
  });

  it('a portal moved', async () => {
    await withPage(playPath('portalduel', { fen: '4k3/8/8/8/R7/8/8/4K3 w - - a4h6 0 10' }), async (page) => {
      await thenDecide(page, square(page, 'e1'), square(page, 'e2'));
      await square(page, 'a4').click();
      await square(page, 'a4').click();
      await square(page, 'b5').click();
      await page.locator('[data-cancel-premove]').waitFor();
      await answer(page, 'e8e7');
      await waitForPlies(page, 3);
      assert.equal(await lastSan(page), 'Ob5');
    }, held);
  });

  it('an intent, on the board of the next turn', async () => {
    const fen =
      'rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/Q7/8/PPPPPPPP/RNB2BNR w A KQ|kq -|- -/- 0 1';
    await withPage(playPath('twinportal', { fen }), async (page) => {
      await thenDecide(page, square(page, 'e2'), square(page, 'e4'));
      await square(page, 'a4', 'B').click();
      assert.equal(await square(page, 'a4').getAttribute('data-target'), 'declare');
      await square(page, 'a4').click();
      await answer(page, 'e7e6');
      await waitForPlies(page, 3);
      assert.equal(await lastSan(page), 'QBa4→');
    }, held);
  });
});

describe('choices', () => {
  const fen = '4k3/1P6/8/8/8/8/8/4K3 w - - 0 1';

  it('stay open, beside their square, while the board is flipped', async () => {
    await withPage(playPath('chess', { fen }), async (page) => {
      await square(page, 'b7').click();
      await square(page, 'b8').click();
      await dialog(page).waitFor();
      const near = async () => {
        const a = await dialog(page).boundingBox();
        const b = await square(page, 'b8').boundingBox();
        return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
      };
      assert.ok((await near()) < 350);
      await page.getByRole('button', { name: 'Flip the board' }).click();
      assert.equal(await dialog(page).count(), 1);
      await page.waitForTimeout(100);
      assert.ok((await near()) < 350, 'the dialog went with its square');
      await page.keyboard.press('f');
      assert.equal(await dialog(page).count(), 1);
      await dialog(page).getByRole('button', { name: 'Rook' }).click();
      await waitForTurn(page, 2);
      assert.match(await lastSan(page, 2), /^b8=R/);
    });
  });

  it('scrolling back in the middle of one closes it, and nothing can be played from there', async () => {
    await withPage(playPath('chess', { fen: '4k3/1P6/8/8/8/8/P7/4K3 w - - 0 1' }), async (page) => {
      await play(page, square(page, 'a2'), square(page, 'a3'));
      await square(page, 'b7').click();
      await square(page, 'b8').click();
      await dialog(page).waitFor();
      await moves(page).locator('[data-ply="1"]').click();
      assert.equal(await dialog(page).count(), 0);
      await square(page, 'b7').click();
      await square(page, 'b8').click();
      assert.equal(await dialog(page).count(), 0);
      assert.equal(await plies(page), 2);
    });
  });
});

describe('drawing', () => {
  it('arrows and circles with the right button, wiped out by doing it again or by a tap', async () => {
    await withPage(playPath('chess'), async (page) => {
      const middle = async (name) => {
        const b = await square(page, name).boundingBox();
        return [b.x + b.width / 2, b.y + b.height / 2];
      };
      const draw = async (from, to) => {
        await page.mouse.move(...(await middle(from)));
        await page.mouse.down({ button: 'right' });
        await page.mouse.move(...(await middle(to)), { steps: 3 });
        await page.mouse.up({ button: 'right' });
      };
      await draw('e2', 'e4');
      await draw('d5', 'd5');
      await page.locator('[data-join="mark"]').waitFor({ state: 'attached' });
      await page.locator('[data-join="circle"]').waitFor();
      assert.equal(await plies(page), 0);
      await draw('e2', 'e4');
      await page.locator('[data-join="mark"]').waitFor({ state: 'detached' });
      await square(page, 'e5').click();
      await page.locator('[data-join="circle"]').waitFor({ state: 'detached' });
    });
  });
});

describe('what is refused says why', () => {
  const cases = [
    ['chess', null, 'a1', 'a5', /piece on a2 is in the way/],
    ['chess', '4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1', 'e2', 'c3', /king would be left in check/],
    ['porthole', '4k3/8/8/8/1R6/8/8/4K3 w - - d4f6 0 1', 'b4', 'g4', /portal on d4 blocks the way/],
  ];
  for (const [variant, fen, from, to, why] of cases) {
    it(`${variant}: ${from} to ${to}`, async () => {
      await withPage(playPath(variant, { fen }), async (page) => {
        // The pinned knight may not be picked up; the words are the same for what is picked up.
        await square(page, from).click();
        await square(page, to).click();
        await hint(page).filter({ hasText: /\S/ }).waitFor();
        const said = await hint(page).innerText();
        assert.ok(why.test(said) || /Nothing to move/.test(said), said);
      });
    });
  }
});

describe('an exchange is shown before it is made', () => {
  it('on hover both pieces stand in each other’s place', async () => {
    await withPage(playPath('teleport'), async (page) => {
      await square(page, 'a1').click();
      await square(page, 'b1').hover();
      assert.equal(await page.locator('.actor.preview').count(), 2);
      await square(page, 'a3').hover();
      assert.equal(await page.locator('.actor.preview').count(), 0);
      assert.equal(await plies(page), 0);
    });
  });
});

describe('written moves and the game in words', () => {
  it('SAN and UCI are read, mistakes are told', async () => {
    await withPage(playPath('chess'), async (page) => {
      const field = page.getByTestId('write');
      await field.fill('Nf6');
      await field.press('Enter');
      assert.match(await page.getByRole('alert').innerText(), /Nf6/);
      await field.fill('Nf3');
      await field.press('Enter');
      await waitForTurn(page, 2);
      assert.equal(await lastSan(page, 2), 'Nf3');
      await field.fill('e2e4');
      await field.press('Enter');
      await waitForTurn(page, 4);
      assert.match(await status(page).innerText(), /White to move/);
    });
  });

  const WRITTEN = {
    teleport: ['R~b1', 'b1a1'],
    pocketmutation: ['Nf3', 'f3g5'],
    porthole: ['Nf3', 'f3h4'],
    portalduel: ['O@c4', 'Ob4'],
    twinportal: ['Ae4', 'Bd4'],
    splitportal: ['Aa4', 'Be4'],
  };
  for (const [variant, texts] of Object.entries(WRITTEN)) {
    it(`${variant} from the field alone`, async () => {
      await withPage(playPath(variant), async (page) => {
        for (const [i, text] of texts.entries()) {
          await waitForTurn(page, 2 * i);
          await page.getByTestId('write').fill(text);
          await page.getByTestId('write').press('Enter');
          await waitForPlies(page, 2 * i + 1);
        }
      });
    });
  }

  it('a whole game is played from the words, without the board', async () => {
    await withPage(playPath('pocketmutation', { fen: '7k/5Q2/6K1/8/8/8/8/8[] w - - 0 5' }), async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('The game in words').check();
      await page.keyboard.press('Escape');
      const words = page.getByTestId('words');
      assert.match(await words.innerText(), /White: King g6; Queen f7/i);
      assert.match(await words.innerText(), /Pocket of White: empty/);
      await words.locator('[data-move="f7g7"]').focus();
      await page.keyboard.press('Enter');
      await page.getByTestId('result').waitFor();
      assert.ok(await isOver(page));
      assert.match(await status(page).innerText(), /White: Queen f7 to g7\.[\s\S]*checkmate/);
    });
  });
});

describe('advice, sides and levels', () => {
  it('a hint points at a move and plays nothing', async () => {
    await withPage(playPath('chess'), async (page) => {
      await page.getByRole('button', { name: 'Hint' }).click();
      await answer(page, 'e2e4');
      await page.getByText('The computer would play e4.').waitFor();
      assert.equal(await page.locator('[data-join="advice"]').count(), 1);
      assert.equal(await plies(page), 0);
      await square(page, 'd2').click();
      await square(page, 'd4').click();
      await waitForPlies(page, 1);
      assert.equal(await page.locator('[data-join="advice"]').count(), 0);
    }, held);
  });

  it('switching sides lets the computer move for the other', async () => {
    await withPage(playPath('chess'), async (page) => {
      await page.getByRole('button', { name: 'Switch sides' }).click();
      await waitForTurn(page, 1);
      const below = await square(page, 'e8').boundingBox();
      const above = await square(page, 'e1').boundingBox();
      assert.ok(below.y > above.y, 'Black sits below now');
      await play(page, square(page, 'e7'), square(page, 'e5'));
    });
  });

  it('the analysis link carries the game', async () => {
    await withPage(playPath('chess'), async (page) => {
      await thenDecide(page, square(page, 'e2'), square(page, 'e4'));
      const link = await page.getByRole('link', { name: 'Analyse' }).getAttribute('href');
      assert.equal(link, '/analysis/chess?moves=e2e4');
    }, held);
  });
});

describe('settings', () => {
  it('change the looks at once and are remembered', async () => {
    await withPage(playPath('chess'), async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Wood').check();
      await page.getByLabel('Letters').check();
      await page.getByLabel('Coordinates').uncheck();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.reload();
      await square(page, 'e2').waitFor();
      assert.equal(await page.locator('html').getAttribute('data-squares'), 'wood');
      assert.equal(await page.locator('.actor text').count(), 32);
      assert.equal(await page.locator('.coordinate').count(), 0);
    });
  });

  it('each kind of move has its sound, and none when they are off', async () => {
    const counting = async (page) => {
      await page.addInitScript(() => {
        window.tones = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...args) {
          window.tones++;
          return start.apply(this, args);
        };
      });
    };
    await withPage(playPath('chess'), async (page) => {
      await play(page, square(page, 'e2'), square(page, 'e4'));
      // A sound comes after the picture: one for this move, and one for the answer.
      await page.waitForFunction(() => window.tones >= 2);
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Sounds').uncheck();
      await page.keyboard.press('Escape');
      const before = await page.evaluate(() => window.tones);
      await play(page, square(page, 'd2'), square(page, 'd4'));
      assert.equal(await page.evaluate(() => window.tones), before);
    }, { prepare: counting });
  });
});

describe('on a phone with two boards', () => {
  const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };
  const fen =
    'rnbq1bnr/pppppppp/8/8/Q7/8/PPPPPPPP/RNB1KBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w A KQ|kq -|- -/- 0 1';
  const width = async (page, id) => (await page.locator(`[data-board="${id}"]`).boundingBox()).width;

  it('a declaration is a tap on the piece and a tap at its landing square on the small board', async () => {
    await withPage(playPath('twinportal', { fen }), async (page) => {
      await square(page, 'a4').tap();
      const box = await square(page, 'a4', 'B').boundingBox();
      // Near the square, as a finger is: on a board of 15 px squares nobody hits one.
      await page.touchscreen.tap(box.x + box.width + 6, box.y + box.height / 2 + 6);
      await waitForPlies(page, 1);
      assert.match(await moves(page).textContent(), /QAa4→/);
    }, phone);
  });

  it('a tap elsewhere on the small board exchanges the two', async () => {
    await withPage(playPath('twinportal', { fen }), async (page) => {
      await square(page, 'a4').tap();
      const box = await page.locator('[data-board="B"]').boundingBox();
      await page.touchscreen.tap(box.x + box.width - 12, box.y + 12);
      await page.waitForTimeout(100);
      assert.ok((await width(page, 'B')) > 2 * (await width(page, 'A')));
      assert.equal(await plies(page), 0);
    }, phone);
  });

  it('a swipe over the board exchanges the two and moves nothing', async () => {
    await withPage(playPath('twinportal'), async (page, context) => {
      await square(page, 'e2').waitFor();
      const a = await square(page, 'f5').boundingBox();
      const b = await square(page, 'b5').boundingBox();
      const cdp = await context.newCDPSession(page);
      const at = (box, by = 0) => [{ x: box.x + box.width / 2 + by, y: box.y + box.height / 2 }];
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(a) });
      for (const by of [-30, -60, -90]) {
        await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(a, by) });
      }
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(b) });
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await page.waitForTimeout(150);
      assert.ok((await width(page, 'B')) > 2 * (await width(page, 'A')));
      assert.equal(await plies(page), 0);
    }, phone);
  });
});

describe('the home page', () => {
  it('shows the portals of the game that begins with placing them', async () => {
    await withPage('/', async (page) => {
      const card = page.locator('[data-variant="portalduel"]');
      await card.waitFor();
      assert.equal(await card.locator('.token').count(), 2);
    });
  });
});

describe('uncommon pieces', () => {
  it('tell how they go, on hover and by a key', async () => {
    const fen = 'rnbqkbnr/pppppppp/8/8/8/4I3/PPPPPPPP/RNBQKB1R[] w - - 0 2';
    await withPage(playPath('pocketmutation', { fen }), async (page) => {
      await square(page, 'e3').hover();
      await page.getByRole('tooltip').waitFor();
      assert.match(await page.getByRole('tooltip').innerText(), /nightrider/i);
      await square(page, 'e5').hover();
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
      await square(page, 'e3').focus();
      await page.keyboard.press('?');
      await page.getByRole('tooltip').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
    });
  });
});
