/**
 * The figures of docs/benchmarks.md about the page:
 *
 *   BASE_URL=http://127.0.0.1:8080 NATIVE=../target/release/warpchess node scripts/measure.mjs [size] [rules] [engine] [page] [moves] [seen]
 *
 * size: what is fetched at the first visit, compressed. rules: legal moves by WebAssembly in the worst positions known.
 * engine: the search in the browser's module against the program, NATIVE, node for node. page: first paint, layout shift
 * in Chromium with its processor slowed four times, at BASE_URL. moves: what a move costs until it is in the picture, in time of
 * the processor and counted (see delays.mjs); seen: the delay that Chromium tells of, which depends on what else the machine does. Without
 * names all are measured.
 *
 * Times are of the processor, as far as they can be had: what else the machine does counts less then. With --check it fails
 * where a promise is broken that does not depend on the machine.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadavg } from 'node:os';
import { brotliCompressSync, constants } from 'node:zlib';
import { delaysOfMoves, middle, most, MOVES, RATE, reference, workOfMoves } from './delays.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);
const check = args.includes('--check');
const wanted = args.filter((arg) => !arg.startsWith('--'));
const PARTS = { size, rules, engine, page, moves, seen };
const broken = [];

/** Until a move is in the picture, on a processor RATE times slower, in milliseconds. */
const MOST_DELAY = 50;

/**
 * What the browser may have to do for a gesture until it is in the picture, in the middle of some moves: changes of the document,
 * elements whose style is reckoned anew, things laid out anew, and how often the page is laid out.
 */
const MOST_COUNTED = { changes: 60, styled: 34, laidOut: 30, layouts: 1 };

/** What the first visit may fetch, in bytes. */
const MOST_BYTES = 300_000;

function promise(holds, text) {
  console.log(`${holds ? 'kept  ' : 'BROKEN'} ${text}`);
  if (!holds) broken.push(text);
}

/** A promise about time: it is told whether it is kept, and a check, which may be made on a busy machine, does not fail by it. */
function promiseOfTime(holds, text) {
  console.log(`${holds ? 'kept  ' : 'not kept now'} ${text}`);
  if (!holds && !check) broken.push(text);
}

/** As the build has compressed it, or as the server does it while it is asked. */
function compressed(file, bytes) {
  if (existsSync(`${file}.br`)) return statSync(`${file}.br`).size;
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
}

function size() {
  const dist = join(web, 'dist');
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  // What the page names, what its script begins with, and the rules.
  const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((m) => m[1]);
  const wasm = readdirSync(join(dist, 'assets')).filter((name) => /^rules-.*\.wasm$/.test(name));
  const files = new Set(['index.html', ...first, ...wasm.map((name) => `assets/${name}`)]);
  let all = 0;
  for (const file of files) {
    const bytes = readFileSync(join(dist, file));
    const small = compressed(join(dist, file), bytes);
    all += small;
    console.log(`${file}: ${bytes.length} bytes, ${small} compressed`);
  }
  promise(all < MOST_BYTES, `first visit: ${all} bytes compressed, at most ${MOST_BYTES}`);
}

/** A module as the page uses it: JSON in, JSON out, both ways counted. */
async function load(name) {
  const { instance } = await WebAssembly.instantiate(readFileSync(join(web, 'wasm', `${name}.wasm`)), {});
  const { memory, alloc, dealloc, call } = instance.exports;
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return (request) => {
    const input = encoder.encode(JSON.stringify(request));
    const at = alloc(input.length) >>> 0;
    new Uint8Array(memory.buffer, at, input.length).set(input);
    const packed = BigInt.asUintN(64, call(at, input.length));
    const [from, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
    const text = decoder.decode(new Uint8Array(memory.buffer, from, length));
    dealloc(from, length);
    const reply = JSON.parse(text);
    if (reply.error) throw new Error(reply.error.message);
    return reply.ok;
  };
}

/** Milliseconds of the processor that a call takes, the median of some rounds. */
function cost(call, rounds = 9, calls = 20) {
  for (let i = 0; i < 40; i++) call();
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i++) call();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000 / calls);
  }
  return times.sort((a, b) => a - b)[rounds >> 1];
}

async function rules() {
  const ask = await load('rules');
  const positions = readFileSync(join(web, 'scripts', 'worst-positions.tsv'), 'utf8').split('\n');
  let worst = 0;
  for (const line of positions) {
    if (!line || line.startsWith('#')) continue;
    const [variant, fen] = line.split('\t');
    const game = { variant, fen, moves: [] };
    const moves = ask({ op: 'view', ...game }).legal.length;
    const whole = cost(() => ask({ op: 'view', ...game }));
    const view = cost(() => ask({ op: 'view', ...game, light: true }));
    const premoves = cost(() => ask({ op: 'premoves', ...game }), 5, 5);
    worst = Math.max(worst, view);
    console.log(`${variant}: ${moves} legal moves in ${view.toFixed(2)} ms (with all names ${whole.toFixed(2)}), premoves in ${premoves.toFixed(2)} ms: ${fen}`);
  }
  console.log(`worst: ${worst.toFixed(2)} ms (aim: 2)`);
}

/** Speaks UCI with the program. */
class Native {
  #lines = [];
  #wake = () => undefined;

  constructor(program) {
    this.process = spawn(program, ['uci'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let rest = '';
    this.process.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      this.#lines.push(...lines);
      this.#wake();
    });
  }

  send(line) {
    this.process.stdin.write(`${line}\n`);
  }

  async until(start) {
    for (;;) {
      const at = this.#lines.findIndex((line) => line.startsWith(start));
      if (at >= 0) return this.#lines.splice(0, at + 1);
      await new Promise((wake) => (this.#wake = wake));
    }
  }

  /** Milliseconds of the processor it has had. */
  cpu() {
    const fields = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }
}

async function engine() {
  const program = process.env.NATIVE;
  if (!program) {
    console.log('engine: NATIVE is missing, the program to compare with');
    return;
  }
  const NODES = Number(process.env.NODES) || 400_000;
  const ROUNDS = 3;
  const ask = await load('engine');
  const native = new Native(program);
  native.send('uci');
  await native.until('uciok');
  native.send('setoption name Hash value 16');
  const ratios = [];
  for (const { id, startFen } of ask({ op: 'variants' })) {
    const of = { browser: [], native: [] };
    native.send(`setoption name UCI_Variant value ${id}`);
    for (let round = 0; round < ROUNDS; round++) {
      native.send('ucinewgame');
      native.send(`position fen ${startFen}`);
      native.send('isready');
      await native.until('readyok');
      const began = native.cpu();
      native.send(`go nodes ${NODES}`);
      const told = await native.until('bestmove');
      const nodes = Number(/ nodes (\d+)/.exec(told.filter((line) => line.includes(' nodes ')).pop())?.[1]);
      of.native.push(nodes / Math.max(native.cpu() - began, 1));

      // A fresh instance: what it remembers of a search would be no search.
      const fresh = round === 0 ? ask : await load('engine');
      fresh({ op: 'analyse', variant: id, fen: null, moves: [], lines: 1, nodes: 20_000 });
      const before = process.cpuUsage();
      const found = fresh({ op: 'analyse', variant: id, fen: null, moves: [], lines: 1, nodes: NODES });
      const { user, system } = process.cpuUsage(before);
      of.browser.push(found.nodes / ((user + system) / 1000));
    }
    const best = (list) => list.sort((a, b) => a - b)[list.length >> 1];
    const [b, n] = [best(of.browser), best(of.native)];
    ratios.push(b / n);
    console.log(`${id}: ${Math.round(b)} thousand nodes/s in the browser's module, ${Math.round(n)} native: ${(b / n).toFixed(2)}`);
  }
  native.process.kill();
  const mean = Math.exp(ratios.reduce((sum, r) => sum + Math.log(r), 0) / ratios.length);
  console.log(`geometric mean ${mean.toFixed(2)}, least ${Math.min(...ratios).toFixed(2)} (aim: 0.50)`);
}

async function chromium() {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}

/** Where the server is; null and a word about it when nobody has said. */
function server(part) {
  const base = process.env.BASE_URL;
  if (!base) console.log(`${part}: BASE_URL is missing, the address of a running server`);
  return base ?? null;
}

async function page() {
  const base = server('page');
  if (!base) return;
  const browser = await chromium();
  const watch = () => {
    window.seen = { shift: 0, paint: null, largest: null, long: [], delays: [] };
    const on = (type, each, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
    on('layout-shift', (e) => (window.seen.shift += e.value));
    on('paint', (e) => e.name === 'first-contentful-paint' && (window.seen.paint = e.startTime));
    on('largest-contentful-paint', (e) => (window.seen.largest = e.startTime));
    on('longtask', (e) => window.seen.long.push(e.duration));
    on('event', (e) => e.interactionId && window.seen.delays.push({ name: e.name, duration: e.duration, work: e.processingEnd - e.startTime }), { durationThreshold: 16 });
  };
  for (const path of ['/', '/analysis/chess', '/games', '/rules/porthole', '/leaderboards', ...PLAYED.map((v) => `/play/${v}?level=1`)]) {
    // Two boards change places on a phone when the other becomes due: that is meant, and counted elsewhere as a shift.
    const viewport = path.includes('twinportal') ? DESKTOP : { width: 390, height: 844 };
    const context = await browser.newContext({ viewport, serviceWorkers: 'block', reducedMotion: 'reduce' });
    const shown = await context.newPage();
    await shown.addInitScript(watch);
    const cdp = await context.newCDPSession(shown);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: RATE });
    await shown.goto(new URL(path, base).href);
    await shown.locator('h1').first().waitFor();
    await shown.waitForTimeout(1500);
    const start = await shown.evaluate(() => structuredClone(window.seen));
    console.log(`${path}: first paint ${Math.round(start.paint)} ms, largest ${Math.round(start.largest)} ms, ${start.long.length} long tasks`);
    if (path.startsWith('/play/')) {
      await shown.locator('[data-square][data-pickable]').last().click();
      const goal = shown.locator('[data-square][data-target]').first();
      if ((await goal.count()) > 0) await goal.click();
      await shown.waitForTimeout(1500);
    }
    const { shift } = await shown.evaluate(() => ({ shift: window.seen.shift }));
    promise(shift < 0.001, `${path}: layout shift ${shift.toFixed(4)}`);
    await context.close();
  }
  await browser.close();
}

const DESKTOP = { width: 1280, height: 900 };
const PLAYED = ['chess', 'teleport', 'pocketmutation', 'porthole', 'twinportal', 'splitportal'];

const CHECKED = ['/analysis/pocketmutation', '/play/twinportal', '/game/ID (chess)'];

/** Pages on which moves are made, by what the figure is called. */
function tables(base) {
  const against = (variant) => async (context) => {
    const made = await context.request.post(new URL('/api/challenges', base).href, {
      data: { variant, fen: null, control: { kind: 'live', limit: 3_600_000, increment: 0 }, color: 'white', rated: false, opponent: { kind: 'computer', level: 1 } },
    });
    const { game, challenge } = await made.json();
    return new URL(`/game/${game ?? challenge.game}`, base).href;
  };
  const at = (path) => new URL(path, base).href;
  return [
    ['/analysis/chess', at('/analysis/chess')],
    ['/analysis/pocketmutation', at('/analysis/pocketmutation')],
    ['/analysis/twinportal', at('/analysis/twinportal')],
    ['/play/chess', at('/play/chess?level=1&side=white')],
    ['/play/twinportal', at('/play/twinportal?level=1&side=white')],
    ['/play/pocketmutation', at('/play/pocketmutation?level=1&side=white')],
    ['/game/ID (chess)', against('chess')],
  ];
}

/** What a move costs until it is in the picture. */
async function moves() {
  const base = server('moves');
  if (!base) return;
  const browser = await chromium();
  const found = [];
  for (let i = 0; i < 20; i++) reference();
  // A check is content with fewer, since it is made often.
  const [pages, count] = check ? [tables(base).filter(([name]) => CHECKED.includes(name)), 12] : [tables(base), MOVES];
  for (const [name, address] of pages) found.push([name, await workOfMoves(browser, address, DESKTOP, count)]);
  await browser.close();
  const all = found.flatMap(([, f]) => f.reference);
  const fastest = Math.min(...all);
  console.log(`load ${loadavg()[0].toFixed(1)}; a job that is always the same took ${fastest.toFixed(1)} ms at best, ${middle(all).toFixed(1)} in the middle`);
  for (const [name, { pick, move, cold, counts, reference }] of found) {
    const slowed = middle(reference) / fastest;
    const [p, m] = [middle(pick), middle(move)];
    console.log(
      `${name}: ${move.length} moves, ${p.toFixed(0)} ms to pick up, ${m.toFixed(0)} ms to move (at most ${most(move).toFixed(0)}, the first ${most(cold).toFixed(0)}); ` +
        `the job took ${slowed.toFixed(2)} times as long as at best`,
    );
    promiseOfTime(Math.max(p, m) < MOST_DELAY, `${name}: a move is in the picture after ${Math.max(p, m).toFixed(0)} ms of a processor slowed ${RATE}×, less than ${MOST_DELAY}`);
    for (const [what, bound] of Object.entries(MOST_COUNTED)) {
      const [up, put] = ['pick', 'move'].map((kind) => middle(counts[kind].map((c) => c[what])));
      promise(Math.max(up, put) <= bound, `${name}: ${what} ${up} to pick up, ${put} to move, at most ${bound}`);
    }
  }
}

/** The delay that Chromium tells of. */
async function seen() {
  const base = server('seen');
  if (!base) return;
  const browser = await chromium();
  for (const [name, address] of tables(base)) {
    const { pick, move } = await delaysOfMoves(browser, address, DESKTOP);
    console.log(`${name}: ${move.length} moves, ${middle(pick)} ms to pick up, ${middle(move)} ms to move, in steps of 8; load ${loadavg()[0].toFixed(1)}`);
  }
  await browser.close();
}

for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`== ${name}`);
  await measure();
}
if (check && broken.length > 0) process.exitCode = 1;
