/** Whole games of each kind between two browsers, against the server. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { label, lastSan, plies, status, useBrowser } from './lib.mjs';
import { atTable, play, stateOf } from './online.mjs';

useBrowser();

/**
 * Games to their end. After a move with `*` its player takes it back, and plays it again: the position has to be what it
 * was, pockets, portals and all. At `|` the one who waits loses the connection while the other moves.
 */
const GAMES = {
  chess: 'f2f3 e7e5* | g2g4 d8h4',
  teleport: 'f2f3 d8c8* a2a3 a8a7 | g2g3 f8g7 c1b2* d8c7 h2h4 c7g3',
  pocketmutation: 'f2f4 e7e5 g2^P* d8^U* | P@d5* U@h4',
  porthole: 'd2d4 g7g6 c1f4f5* g6f5g4* | d1c1c4 f7g6g5 d4c5f7',
  portalduel: 'O@f4* O@d5 Of4e4* Od5d6 a2a4 | d7e3* Oe4f4 e3f2',
  twinportal: 'h2h4 c7c6 a2a3 e7e5 h4h4* d8c7 0000* b7b5 | d2d3 c7f4 h4h4* f8b4',
  splitportal: 'a2a3 g7g6 f2f4 a7a5 d2d4 g8f6 f4f5 a5a5* | b2b4 0000* e1f2 a8a5 d4d4 f6e4',
};

/** Everything on the boards and in the pockets, as it is told to those who do not see it; not what may be done there. */
const everything = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-square], [data-pocket]')]
      .map((e) => (e.getAttribute('aria-label') ?? e.textContent).replace(/, can .*/, ''))
      .join('\n'),
  );

describe('whole games between two, with moves taken back and connections lost', () => {
  for (const [variant, script] of Object.entries(GAMES)) {
    it(variant, async () => {
      const moves = script.split(' ').filter((word) => word !== '|').map((word) => word.replace('*', ''));
      await atTable({ variant }, async (table) => {
        const { white, black, game } = table;
        let ply = 0;
        let cut = null;
        for (const word of script.split(' ')) {
          const [mover, other] = ply % 2 === 0 ? [white, black] : [black, white];
          if (word === '|') {
            cut = other;
            await other.cut();
            continue;
          }
          const uci = word.replace('*', '');
          await mover.sees(ply);
          const before = word.endsWith('*') ? await everything(other.page) : null;
          await mover.write(uci);
          await mover.sees(ply + 1);
          if (cut) {
            // What was played meanwhile is there after coming back.
            assert.equal(await plies(cut.page), ply);
            await cut.mend();
            cut = null;
          }
          await other.sees(ply + 1);
          if (before !== null) {
            await mover.button('Ask to take back').click();
            await other.page.locator('[data-offer="takeback"]').getByRole('button', { name: 'Accept' }).click();
            await Promise.all([mover.sees(ply), other.sees(ply)]);
            assert.equal(await everything(other.page), before, `${uci} was taken back`);
            await mover.write(uci);
            await Promise.all([mover.sees(ply + 1), other.sees(ply + 1)]);
          }
          ply++;
        }
        const winner = ply % 2 === 1 ? white : black;
        const loser = winner === white ? black : white;
        assert.match(await winner.page.getByTestId('result').innerText(), /You win[^]*checkmate/);
        assert.match(await loser.page.getByTestId('result').innerText(), /You lose[^]*checkmate/);
        const { moves: kept, end } = await stateOf(white, game);
        assert.deepEqual(kept, moves);
        assert.deepEqual([end.status, end.reason, end.winner], ['ended', 'checkmate', winner === white ? 'white' : 'black']);
        // It is there for whoever comes later.
        await loser.page.reload();
        await loser.page.getByTestId('result').waitFor();
        assert.equal(await plies(loser.page), moves.length);
      });
    });
  }
});

describe('connections', () => {
  it('a page that is loaded anew goes on with the game', async () => {
    await atTable({}, async (table) => {
      await play(table, 'e2e4 e7e5');
      await table.white.page.reload();
      await table.white.sees(2);
      await play(table, 'g1f3', 2);
    });
  });

  it('while it is away nothing can be moved, and nothing is sent later', async () => {
    await atTable({}, async (table) => {
      const { white, black, game } = table;
      await play(table, 'e2e4 e7e5');
      await white.cut();
      assert.match(await white.page.getByTestId('lag').innerText(), /connection is gone/);
      assert.equal(await white.page.locator('[data-pickable]').count(), 0);
      await white.write('g1f3');
      assert.equal(await plies(white.page), 2);
      await white.mend();
      assert.equal((await stateOf(white, game)).ply, 2);
      await white.page.locator('[data-pickable]').first().waitFor();
      assert.equal(await plies(black.page), 2);
      await play(table, 'g1f3', 2);
    });
  });

  it('a move decided in advance is not sent for another position', async () => {
    await atTable({}, async (table) => {
      const { white, black, game } = table;
      await play(table, 'e2e4 e7e5 g1f3');
      // White decides and goes away; another window of White's agrees to take back.
      await white.at('f1').click();
      await white.at('c4').click();
      await white.page.getByTestId('hint').filter({ hasText: /f1c4/ }).waitFor();
      await black.button('Ask to take back').click();
      await white.page.locator('[data-offer="takeback"]').waitFor();
      await white.cut();
      await white.ask('POST', `/api/games/${game}/actions`, { action: 'takeback-accept' });
      await black.sees(1);
      await black.write('c7c5');
      await black.sees(2);
      await white.mend();
      await white.sees(2);
      await white.page.waitForTimeout(300);
      assert.deepEqual((await stateOf(white, game)).moves, ['e2e4', 'c7c5']);
    });
  });

  it('a player who watches the same game in two windows sees each move in both', async () => {
    await atTable({}, async (table) => {
      const { white, game } = table;
      const second = await white.context.newPage();
      await second.goto(new URL(`/game/${game}`, white.page.url()).href);
      await second.locator('[data-game][data-ready]').waitFor();
      await play(table, 'e2e4 e7e5');
      await second.locator('[data-ply="2"]').waitFor();
      await second.getByTestId('write').fill('g1f3');
      await second.getByTestId('write').press('Enter');
      await white.sees(3);
    });
  });
});

describe('looking back', () => {
  it('nothing is sent from an earlier position', async () => {
    await atTable({}, async (table) => {
      const { white, black, game } = table;
      await play(table, 'e2e4 e7e5');
      await white.page.getByRole('button', { name: 'First position' }).click();
      assert.match(await status(white.page).innerText(), /earlier position/);
      assert.equal(await white.page.locator('[data-pickable]').count(), 0);
      await white.at('d2').click();
      await white.at('d4').click();
      await white.page.waitForTimeout(200);
      assert.equal((await stateOf(white, game)).ply, 2);
      // A move that comes meanwhile does not tear the person away.
      await white.page.getByRole('button', { name: 'Last position' }).click();
      await play(table, 'g1f3', 2);
      await white.page.getByRole('button', { name: 'First position' }).click();
      await black.write('b8c6');
      await white.sees(4);
      assert.match(await label(white.page, 'e2'), /pawn/i);
    });
  });
});

describe('what two say and offer to each other', () => {
  it('a draw is offered, declined, offered and agreed on', async () => {
    await atTable({}, async (table) => {
      const { white, black } = table;
      await play(table, 'e2e4 e7e5');
      await white.button('Offer a draw').click();
      await black.page.locator('[data-offer="draw"]').getByRole('button', { name: 'Decline' }).click();
      await white.page.getByText('The draw was declined.').waitFor();
      await black.button('Offer a draw').click();
      await white.page.locator('[data-offer="draw"]').getByRole('button', { name: 'Accept' }).click();
      for (const one of [white, black]) assert.match(await one.page.getByTestId('result').innerText(), /Draw[^]*agreed/);
    });
  });

  it('one resigns, after being asked once more, and both go on to the rematch with sides changed', async () => {
    await atTable({ variant: 'teleport' }, async (table) => {
      const { white, black, game } = table;
      await play(table, 'e2e4 e7e5');
      await white.button('Resign').click();
      assert.equal((await stateOf(white, game)).status, 'started');
      await white.button('Really resign?').click();
      await black.page.getByTestId('result').waitFor();
      assert.match(await black.page.getByTestId('result').innerText(), /You win[^]*resignation/);
      await black.button('Rematch').click();
      await white.page.locator('[data-offer="rematch"]').getByRole('button', { name: 'Accept' }).click();
      for (const [one, side] of [[white, 'black'], [black, 'white']]) {
        await one.page.locator(`[data-game]:not([data-game="${game}"])[data-ready][data-side="${side}"]`).waitFor();
      }
      await play({ white: black, black: white }, 'd2d4');
    });
  });

  it('a game is called off before both have moved', async () => {
    await atTable({}, async (table) => {
      const { white, black } = table;
      await play(table, 'e2e4');
      await black.button('Call the game off').click();
      await black.button('Really call it off?').click();
      assert.match(await white.page.getByTestId('result').innerText(), /Called off/);
    });
  });

  it('players talk to each other, and those who watch among themselves; they see the game and are counted', async () => {
    await atTable(
      {},
      async (table) => {
        const { white, black, watcher } = table;
        await white.page.getByTestId('spectators').getByText('1 watching').waitFor();
        const say = async (who, text) => {
          await who.page.getByLabel('Say something').fill(text);
          await who.page.getByLabel('Say something').press('Enter');
        };
        await say(white, 'good luck <b>');
        await black.page.getByTestId('chat').getByText('good luck <b>').waitFor();
        await say(watcher, 'who wins?');
        await watcher.page.getByTestId('chat').getByText('who wins?').waitFor();
        assert.doesNotMatch(await watcher.page.getByTestId('chat').innerText(), /good luck/);
        await play(table, 'e2e4 e7e5');
        await watcher.sees(2);
        assert.equal(await watcher.page.locator('[data-pickable]').count(), 0);
        assert.equal(await watcher.button('Resign').count(), 0);
        assert.match(await status(watcher.page).innerText(), /watching/);
        // What was said is there after coming back.
        await black.page.reload();
        await black.page.getByTestId('chat').getByText('good luck <b>').waitFor();
        assert.doesNotMatch(await black.page.getByTestId('chat').innerText(), /who wins/);
      },
      { watched: true },
    );
  });

  it('the game of one who has left can be claimed', async () => {
    await atTable({ control: { kind: 'live', limit: 120_000, increment: 0 } }, async (table) => {
      const { white, black } = table;
      await play(table, 'e2e4 e7e5');
      await black.page.goto('about:blank');
      await white.page.locator('[data-offer="gone"]').waitFor();
      await white.button('Claim the game').click({ timeout: 30_000 });
      assert.match(await white.page.getByTestId('result').innerText(), /You win/);
    });
  });
});

describe('clocks', () => {
  it('run for the side to move once both have moved, stand after a move, and are set back with it', async () => {
    await atTable({ control: { kind: 'live', limit: 600_000, increment: 0 } }, async (table) => {
      const { white, black } = table;
      const running = (who) => who.page.locator('[data-running]').getAttribute('data-clock');
      await play(table, 'e2e4');
      assert.equal(await white.page.locator('[data-running]').count(), 0);
      await play(table, 'e7e5', 1);
      assert.equal(await running(white), 'white');
      await white.page.locator('[data-clock="white"]').getByText(/^9:5\d$/).waitFor();
      await play(table, 'g1f3', 2);
      for (const one of [white, black]) {
        await one.page.locator('[data-clock="black"][data-running]').waitFor();
        assert.match(await one.page.locator('[data-clock="white"]').innerText(), /^9:5\d$/);
      }
      await white.button('Ask to take back').click();
      await black.page.locator('[data-offer="takeback"]').getByRole('button', { name: 'Accept' }).click();
      for (const one of [white, black]) await one.page.locator('[data-clock="white"][data-running]').waitFor();
    });
  });
});

it('the computer plays on the server', async () => {
  await atTable({}, async ({ white }) => {
    const control = { kind: 'unlimited' };
    const made = await white.ask('POST', '/api/challenges', { variant: 'porthole', control, color: 'white', rated: false, opponent: { kind: 'computer', level: 1 } });
    await white.sit(made.game);
    await white.write('e2e4');
    await white.page.locator('[data-ply="2"]').waitFor({ timeout: 60_000 });
    assert.ok(await lastSan(white.page));
    await white.button('Take back').click();
    await white.sees(0);
  });
});
