/** What is told beside the board has its room: no sentence about a move makes what is below it jump. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { random, useBrowser, withPage } from './lib.mjs';

useBrowser();

const PLIES = 30;
/** Those with the longest sentences: exchanges, long names, what portals do, halves of a board. */
const GAMES = ['teleport', 'pocketmutation', 'portalduel', 'splitportal'];
/** So wide that the box is as narrow as beside a board. */
const NARROW = { width: 352, height: 800 };

/** The rules as the page has them. */
async function rules() {
  const { instance } = await WebAssembly.instantiate(readFileSync(new URL('../../wasm/rules.wasm', import.meta.url)), {});
  const { memory, alloc, dealloc, call } = instance.exports;
  return (request) => {
    const input = new TextEncoder().encode(JSON.stringify(request));
    const at = alloc(input.length) >>> 0;
    new Uint8Array(memory.buffer, at, input.length).set(input);
    const packed = BigInt.asUintN(64, call(at, input.length));
    const [from, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, from, length));
    dealloc(from, length);
    return JSON.parse(text).ok;
  };
}

/** A game by chance in which every kind of move is as likely as another: what is special comes often. */
function anyGame(ask, variant) {
  const choose = random(7);
  const moves = [];
  while (moves.length < PLIES) {
    const { legal } = ask({ op: 'view', variant, moves });
    if (legal.length === 0) break;
    const kinds = [...new Set(legal.map((m) => m.kind))];
    const kind = kinds[choose(kinds.length)];
    const some = legal.filter((m) => m.kind === kind);
    moves.push(some[choose(some.length)].uci);
  }
  return moves;
}

describe('the box beside the board keeps its height', () => {
  for (const lang of ['en', 'es', 'ru']) {
    it(lang, async () => {
      const ask = await rules();
      for (const id of GAMES) {
        const moves = anyGame(ask, id);
        await withPage(
          `/analysis/${id}?lang=${lang}&moves=${encodeURIComponent(moves.join(','))}`,
          async (page) => {
            await page.locator(`[data-testid="moves"] [data-node]`).nth(moves.length - 1).waitFor();
            const seen = await page.evaluate(async (plies) => {
              const box = document.querySelector('[data-testid="told"]');
              const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
              const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
              const look = () => ({ height: box.getBoundingClientRect().height, text: box.innerText });
              const found = [look()];
              press('Home');
              for (let ply = 0; ply <= plies; ply++) {
                await frame();
                await frame();
                found.push(look());
                press('ArrowRight');
              }
              return found;
            }, moves.length);
            const [first] = seen;
            for (const { height, text } of seen) assert.equal(height, first.height, `${id}: ${text}`);
            assert.ok(new Set(seen.map((s) => s.text)).size > moves.length / 2, `${id}: the moves were told`);
          },
          { viewport: NARROW },
        );
      }
    });
  }
});
