/**
 * Pictures of every page at phone and desktop size, light and dark, and at 768 and 1920 pixels, to be looked at.
 *
 *   BASE_URL=http://127.0.0.1:8080 node scripts/screenshots.mjs [FOLDER] [NAME…]
 *
 * They go to FOLDER (default: screenshots/). With names, only pages whose name contains one of them.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const base = process.env.BASE_URL;
if (!base) {
  console.error('BASE_URL is missing: the address of a running server, such as http://127.0.0.1:8080');
  process.exit(2);
}
const [folder = 'screenshots', ...only] = process.argv.slice(2);

const BOTH = ['light', 'dark'];
/** Colours are the same at all sizes: the sizes between are taken in one theme. */
const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, themes: BOTH },
  tablet: { viewport: { width: 768, height: 1024 }, themes: ['light'] },
  desktop: { viewport: { width: 1280, height: 900 }, themes: BOTH },
  wide: { viewport: { width: 1920, height: 1080 }, themes: ['dark'] },
};

const at = (name, id = 'A') => `[data-board="${id}"] [data-square="${name}"]`;
const play = (variant, fen) => `/play/${variant}?level=1${fen ? `&fen=${encodeURIComponent(fen)}` : ''}`;
const PORTHOLE = '2bqkbr1/3n4/1pp4p/2Pnp1P1/1P1P4/2P1P3/P6P/RNB2K1B w - - h1f3b5b5c5e5c6g7 0 26';
const analysis = (variant, more = '') => `/analysis/${variant}${more}`;
const TWIN =
  'rnbq1bnr/pppppppp/8/8/Q7/8/PPPPPPPP/RNB1KBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w A KQ|kq -|- -/- 0 1';

/** Name, address, and what to tap before the picture is taken. */
const PAGES = [
  ['home', '/'],
  ['home-es', '/?lang=es'],
  ['home-ru', '/?lang=ru'],
  ['pieces', '/pieces'],
  ['not-found', '/nowhere'],
  ['bad-position', play('chess', '8/8/8/8/8/8/8/8 w - - 0 1')],
  ['chess', play('chess'), at('e2')],
  ['chess-promotion', play('chess', '3r2k1/2P5/8/8/8/8/8/4K3 w - - 0 1'), at('c7'), at('d8')],
  ['chess-mated', play('chess', '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1'), at('f7'), at('g7')],
  ['teleport', play('teleport'), at('d1')],
  ['pocketmutation', play('pocketmutation', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2'), at('h1')],
  ['pocketmutation-choice', play('pocketmutation', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w - - 0 2'), at('h1'), '[data-pocket="white"]'],
  ['pocketmutation-drop', play('pocketmutation', '1uh1kb1r/pp2p2p/2n2np1/3p4/3P1I2/2N1PN2/PPP1GPPP/R1BQK2R[Ta] w - - 0 12'), '[data-pocket="white"]'],
  ['porthole', play('porthole', PORTHOLE), at('d4')],
  ['porthole-exit', play('porthole', PORTHOLE), at('d4'), at('e5')],
  ['portalduel-start', play('portalduel')],
  ['portalduel', play('portalduel', 'r3k2r/pp3ppp/2n5/8/R7/8/PP3PPP/4K2R w - - a4c5 0 10'), at('a4')],
  ['portalduel-hole', play('portalduel', '4k3/8/8/4n3/8/3R4/8/K7 w - - d4d5 0 10'), at('d4'), at('d5')],
  ['twinportal', play('twinportal', TWIN), at('a4')],
  ['twinportal-declared', play('twinportal', TWIN), at('a4'), '[data-action="declare"]'],
  ['splitportal', play('splitportal'), at('b1')],
  ['splitportal-ru', `${play('splitportal')}&lang=ru`, at('b1')],
  ['rules-porthole', '/rules/porthole', at('f3')],
  ['rules-twinportal-ru', '/rules/twinportal?lang=ru&lesson=declare', at('a4')],
  ['rules-pocketmutation-es', '/rules/pocketmutation?lang=es&lesson=compound'],
  ['rules-portalduel-done', '/rules/portalduel?lesson=destroy', at('d4'), at('d5')],
  ['rules-splitportal', '/rules/splitportal?lang=ru'],
  ['analysis-chess', analysis('chess', '?moves=e2e4,e7e5,g1f3,b8c6'), '[data-testid="engine"]'],
  ['analysis-pgn-es', analysis('chess', `?lang=es&pgn=${encodeURIComponent('1. e4 $1 {best by test} e5 (1... c5 2. Nf3 (2. c3 d5) d6) (1... e6) 2. Nf3 Nc6 $6 3. Bb5 *')}`)],
  ['analysis-twinportal-ru', analysis('twinportal', '?lang=ru')],
  ['analysis-bad', analysis('chess', '?moves=e2e5')],
  ['editor-chess', '/editor/chess'],
  ['editor-pocketmutation-ru', '/editor/pocketmutation?lang=ru', '[data-tool="white-Z"]'],
  ['editor-twinportal-es', '/editor/twinportal?lang=es'],
  ['editor-bad', `/editor/porthole?fen=${encodeURIComponent('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - b4c4c4 0 1')}`],
  ['embed-twinportal', '/embed/twinportal'],
  ['games', '/games'],
  ['games-more-ru', '/games?lang=ru&variant=chess', 'summary'],
  ['explorer-chess', '/explorer/chess', '[name="mode-import"]'],
  ['explorer-twinportal-es', '/explorer/twinportal?lang=es'],
  ['analysis-explorer', analysis('porthole'), '.plain summary'],
  ['menu', '/pieces', 'header'],
];

/** What pages with people on them show: an account, games under way and over, challenges. Made anew for every run. */
async function stage(browser) {
  const come = async () => {
    const context = await browser.newContext();
    const ask = async (method, path, data) => {
      const reply = await context.request.fetch(new URL(path, base).href, { method, data });
      if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${await reply.text()}`);
      return reply.json();
    };
    await ask('GET', '/api/session');
    return { context, ask };
  };
  const [ann, bob] = [await come(), await come()];
  const run = Date.now().toString(36);
  const [annName, bobName] = [`Ann_${run}`, `Bob_${run}`];
  await ann.ask('POST', '/api/register', { username: annName, password: `password of ${annName}` });
  await bob.ask('POST', '/api/register', { username: bobName, password: `password of ${bobName}` });
  const act = (who, game, action) => who.ask('POST', `/api/games/${game}/actions`, action);
  const live = (minutes, seconds) => ({ kind: 'live', limit: minutes * 60_000, increment: seconds * 1000 });
  const game = async (variant, moves, { rated = true, control = live(5, 3) } = {}) => {
    const wish = { variant, control, color: 'white', rated, opponent: { kind: 'link' } };
    const { challenge } = await ann.ask('POST', '/api/challenges', wish);
    const { game: id } = await bob.ask('POST', `/api/challenges/${challenge.id}/accept`);
    for (const [ply, uci] of moves.split(' ').entries()) await act(ply % 2 === 0 ? ann : bob, id, { action: 'move', ply, uci });
    return id;
  };
  for (let i = 0; i < 6; i++) await act(i % 3 === 2 ? ann : bob, await game('porthole', 'd2d4 g7g6'), { action: 'resign' });
  const over = await game('chess', 'f2f3 e7e5 g2g4 d8h4');
  const playing = await game('pocketmutation', 'e2e4 e7e5 g1^B b8c6');
  const boards = await game('twinportal', 'h2h4 c7c6 a2a3 e7e5 h4h4 d8c7');
  await act(bob, playing, { action: 'draw-offer' });
  const wish = { variant: 'portalduel', control: live(10, 5), color: 'random', rated: true };
  await bob.ask('POST', '/api/challenges', { ...wish, opponent: { kind: 'lobby' } });
  await bob.ask('POST', '/api/challenges', { ...wish, variant: 'teleport', rated: false, control: { kind: 'days', days: 3 }, opponent: { kind: 'lobby' } });
  const link = await ann.ask('POST', '/api/challenges', { ...wish, opponent: { kind: 'link' } });
  const named = await bob.ask('POST', '/api/challenges', { ...wish, opponent: { kind: 'user', name: annName } });
  const cookies = await ann.context.cookies();
  await ann.context.close();
  await bob.context.close();
  const pages = [
    ['people-home', '/', 'aside button[aria-expanded]'],
    ['people-home-ru', '/?lang=ru'],
    ['game-playing', `/game/${playing}`],
    ['game-boards-es', `/game/${boards}?lang=es`],
    ['game-over', `/game/${over}`],
    ['challenge-own', `/challenge/${link.challenge.id}`],
    ['challenge-named', `/challenge/${named.challenge.id}`],
    ['login', '/login'],
    ['register-ru', '/register?lang=ru'],
    ['account', '/account'],
    ['player', `/player/${annName}`],
    ['leaderboards', '/leaderboards?game=porthole'],
  ];
  return { cookies, pages };
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
});
await mkdir(folder, { recursive: true });
let failed = 0;
const staged = only.length > 0 && !only.some((part) => /people|game|challenge|login|register|account|player|leader/.test(part)) ? null : await stage(browser);
const people = new Set(staged?.pages.map(([name]) => name));
for (const [name, path, ...taps] of [...PAGES, ...(staged?.pages ?? [])]) {
  if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
  for (const [size, { viewport, themes }] of Object.entries(SIZES)) {
    for (const colorScheme of themes) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', locale: 'en-GB' });
      if (people.has(name)) await context.addCookies(staged.cookies);
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      const file = `${name}.${size}.${colorScheme}.png`;
      try {
        await page.goto(new URL(path, base).href);
        await page.locator('h1').first().waitFor();
        for (const tap of taps) await page.locator(tap).first().click();
        await page.waitForTimeout(1200);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > viewport.width) throw new Error(`scrolls sideways: ${wide} px`);
        console.log(file);
      } catch (error) {
        failed++;
        console.error(`${file}: ${error.message.split('\n')[0]}`);
      }
      await page.screenshot({ path: join(folder, file), fullPage: true });
      await context.close();
    }
  }
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
