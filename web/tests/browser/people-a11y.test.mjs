/** Pages with people on them: axe finds nothing serious, and nothing scrolls sideways, in both themes at every width. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertAccessible } from './axe.mjs';
import { useBrowser } from './lib.mjs';
import { begin, Person } from './online.mjs';

useBrowser();

const RUN = Date.now().toString(36);
// As long as names may be.
const NAME = `E${RUN}_with_a_long_name`.slice(0, 20);
const WIDTHS = [360, 768, 1280, 1920];
let cookies = null;
const paths = {};

async function stage() {
  if (cookies) return;
  const [eva, other] = [await Person.come(), await Person.come()];
  await eva.ask('POST', '/api/register', { username: NAME, password: 'correct horse battery' });
  cookies = await eva.context.cookies();
  const move = (who, game, ply, uci) => who.ask('POST', `/api/games/${game}/actions`, { action: 'move', ply, uci });
  for (const [name, variant, moves] of [
    ['a game', 'pocketmutation', ['e2e4', 'e7e5']],
    ['a game on two boards', 'twinportal', ['h2h4', 'c7c6']],
    ['a game that is over', 'chess', ['f2f3', 'e7e5', 'g2g4', 'd8h4']],
  ]) {
    const game = await begin(eva, other, { variant });
    for (const [ply, uci] of moves.entries()) await move(ply % 2 === 0 ? eva : other, game, ply, uci);
    paths[name] = `/game/${game}`;
  }
  const wish = { variant: 'porthole', control: { kind: 'live', limit: 600_000, increment: 5000 }, color: 'random', rated: false };
  const made = await eva.ask('POST', '/api/challenges', { ...wish, opponent: { kind: 'link' } });
  await other.ask('POST', '/api/challenges', { ...wish, opponent: { kind: 'lobby' } });
  const asked = await other.ask('POST', '/api/challenges', { ...wish, opponent: { kind: 'user', name: NAME } });
  paths["one's own challenge"] = `/challenge/${made.challenge.id}`;
  paths['a challenge to one'] = `/challenge/${asked.challenge.id}`;
  paths['a player'] = `/player/${NAME}`;
  await eva.leave();
  await other.leave();
}

const PAGES = [
  ['home', () => '/', (page) => page.getByRole('button', { name: 'More choices…' }).click()],
  ['login', () => '/login'],
  ['registration', () => '/register'],
  ['leaderboards', () => '/leaderboards'],
  ['account', () => '/account'],
  ...['a game', 'a game on two boards', 'a game that is over', "one's own challenge", 'a challenge to one', 'a player'].map((name) => [name, () => paths[name]]),
];

describe('pages with people', () => {
  for (const colorScheme of ['light', 'dark']) {
    it(`in the ${colorScheme} theme`, async () => {
      await stage();
      const eva = await Person.come({ colorScheme, bypassCSP: true });
      await eva.context.clearCookies();
      await eva.context.addCookies(cookies);
      try {
        for (const [name, path, prepare] of PAGES) {
          await eva.open(path());
          await eva.page.locator('h1').first().waitFor();
          await prepare?.(eva.page);
          await eva.page.waitForTimeout(300);
          for (const width of WIDTHS) {
            await eva.page.setViewportSize({ width, height: 900 });
            const wide = await eva.page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `${name} at ${width}: ${wide} px wide`);
          }
          await assertAccessible(eva.page, name);
        }
      } finally {
        await eva.leave();
      }
    });
  }
});
