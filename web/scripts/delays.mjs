/**
 * What a move costs until it is in the picture: the pointer goes down on a piece and up on its target, as people do it, and the
 * page's main thread is watched by Chromium's tracing from the event to the end of the next frame.
 *
 * Three figures: `counts`, what the browser has to do for it, which does not depend on the machine at all: changes of the document,
 * elements whose style is reckoned anew, and things that are laid out anew, each before the picture; `work`, the time of the processor that this thread has had meanwhile, times RATE (as if it were slowed so often),
 * which hardly depends on what else the machine does; and `seen`, what Chromium itself tells as the delay of the interaction
 * (event timing, in steps of 8 ms) with its processor really slowed, which does.
 */

/** How many times slower a processor the promise is about. */
export const RATE = 4;
/** So many moves are made. */
export const MOVES = 24;
/** The first ones are not counted: the code has not been compiled yet. They are told apart. */
const COLD = 2;

export const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
export const most = (list) => Math.max(0, ...list);

/**
 * Milliseconds of the processor that a job takes which is always the same. What shares the machine slows this thread and the
 * page's alike (caches, cores that are no real ones), so the fastest of a run over the middle one tells by how much.
 */
export function reference() {
  const before = process.cpuUsage();
  const seen = new Map();
  let sum = 0;
  for (let i = 0; i < 40_000; i++) {
    seen.set(`k${i % 5000}`, { i });
    sum += seen.get(`k${(i * 7) % 5000}`)?.i ?? 0;
  }
  const { user, system } = process.cpuUsage(before);
  return sum > 0 ? (user + system) / 1000 : 0;
}

/** The same moves in each run. */
function random(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Middles of all elements that a selector finds on the board and that can be clicked. */
function spots(page, selector) {
  return page.evaluate(
    (s) =>
      [...document.querySelectorAll(s)].flatMap((e) => {
        const { x, y, width, height } = e.getBoundingClientRect();
        const at = { x: x + width / 2, y: y + height / 2 };
        return e.contains(document.elementFromPoint(at.x, at.y)) ? [at] : [];
      }),
    selector,
  );
}

const waits = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Makes moves on a page that is open and calls `each(kind, press)` around the gestures that are to be measured: `press` is the
 * gesture, `kind` is pick (something is picked up) or move (it is put down, and the move is made).
 */
async function makeMoves(page, count, each) {
  const choose = random(11);
  const ready = () =>
    page.waitForFunction(
      () => document.querySelector('[data-testid="result"], [data-pickable], [data-target], [data-action]'),
      null,
      { timeout: 60_000 },
    );
  for (let made = 0; made < count; ) {
    await ready();
    // What is computed after the picture is done by then.
    await waits(250);
    if ((await page.locator('[data-testid="result"]').count()) > 0) return;
    const [forced] = await spots(page, '[data-action="pass"], [data-action="transfer"]');
    if (forced) {
      await page.mouse.click(forced.x, forced.y);
      await waits(500);
      continue;
    }
    const press = async () => {
      await page.mouse.down();
      await waits(30);
      await page.mouse.up();
    };
    const go = async (kind, spot) => {
      await page.mouse.move(spot.x, spot.y);
      await waits(120);
      await each(kind, press);
    };
    let goals = await spots(page, '[data-square][data-target]');
    if (goals.length === 0) {
      const from = await spots(page, '[data-square][data-pickable]');
      if (from.length === 0) return;
      await go('pick', from[choose(from.length)]);
      goals = await spots(page, '[data-square][data-target]');
    }
    if (goals.length === 0) {
      await page.keyboard.press('Escape');
      continue;
    }
    await go('move', goals[choose(goals.length)]);
    for (let i = 0; i < 2; i++) {
      const [choice] = await spots(page, '[role="dialog"] [data-choice]');
      if (!choice) break;
      await page.mouse.click(choice.x, choice.y);
      await waits(300);
    }
    made++;
  }
}

/** What was done on the page's main thread from each pointer event to the end of the next frame: milliseconds of the processor, and counts. */
function workOf(trace) {
  const events = JSON.parse(trace).traceEvents;
  const dispatched = events.filter((e) => e.name === 'EventDispatch' && /^pointer(down|up)$/.test(e.args.data.type));
  return dispatched.map((event) => {
    const mine = events.filter((e) => e.pid === event.pid && e.tid === event.tid && e.ph === 'X');
    const end = mine.filter((e) => e.name === 'Commit' && e.ts >= event.ts).sort((a, b) => a.ts - b.ts)[0];
    const work = { ms: 0, styled: 0, laidOut: 0, layouts: 0 };
    if (!end) return work;
    for (const e of mine) {
      // Whole tasks: the one that the event came in, and all up to the one that hands over the frame.
      if (e.name === 'RunTask' && e.ts + e.dur > event.ts && e.ts <= end.ts) work.ms += (e.tdur ?? e.dur) / 1000;
      if (e.ts < event.ts || e.ts > end.ts) continue;
      if (e.name === 'UpdateLayoutTree') work.styled += e.args.elementCount ?? 0;
      if (e.name === 'Layout') {
        work.layouts++;
        work.laidOut += e.args.beginData?.dirtyObjects ?? 0;
      }
    }
    return work;
  });
}

/** Counts what changes in the document from a pointer event until the next frame is begun. */
function watchChanges() {
  const observer = new MutationObserver((list) => (window.changes += list.length));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const type of ['pointerdown', 'pointerup']) {
    const begin = () => {
      window.changes = 0;
      observer.observe(document, all);
      requestAnimationFrame(() => {
        window.changes += observer.takeRecords().length;
        observer.disconnect();
        (window.changed ??= []).push(window.changes);
      });
    };
    window.addEventListener(type, begin, { capture: true });
  }
}

/** Opens a page in a browser of its own and waits until something may be played. */
async function opened(browser, address, viewport) {
  const context = await browser.newContext({ viewport, serviceWorkers: 'block', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(watchChanges);
  await page.goto(typeof address === 'function' ? await address(context) : address);
  await page.waitForFunction(() => document.querySelector('[data-pickable]'), null, { timeout: 60_000 });
  await waits(1000);
  return { context, page };
}

/**
 * The work of moves on a page, as if slowed, with the times of the reference: `{ pick: [ms…], move: [ms…], cold: [ms…], counts:
 * { pick: [{ styled, laidOut, layouts, changes }…], move: […] }, reference: [ms…] }`.
 */
export async function workOfMoves(browser, address, viewport, count = MOVES) {
  const { context, page } = await opened(browser, address, viewport);
  const found = { pick: [], move: [], cold: [], counts: { pick: [], move: [] }, reference: [] };
  let seen = 0;
  await makeMoves(page, count, async (kind, press) => {
    await page.evaluate(() => void (window.changed = []));
    await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
    await press();
    await waits(150);
    const all = workOf((await browser.stopTracing()).toString());
    const changes = most(await page.evaluate(() => window.changed));
    // Of the two events of a tap, one makes the picture.
    const work = all.sort((a, b) => b.ms - a.ms)[0];
    found.reference.push(reference());
    if (!work || work.ms === 0) return;
    if (kind === 'move') seen++;
    (seen <= COLD ? found.cold : found[kind]).push(work.ms * RATE);
    found.counts[kind].push({ ...work, changes });
  });
  await context.close();
  return found;
}

/** The delays that Chromium tells of, with its processor slowed: `{ pick: [ms…], move: [ms…] }`. */
export async function delaysOfMoves(browser, address, viewport) {
  const { context, page } = await opened(browser, address, viewport);
  await page.evaluate(() => {
    window.delays = [];
    new PerformanceObserver((list) => {
      for (const e of list.getEntries()) if (e.interactionId) window.delays.push(e.duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: RATE });
  const found = { pick: [], move: [] };
  await makeMoves(page, MOVES, async (kind, press) => {
    await page.evaluate(() => void (window.delays = []));
    await press();
    await waits(700);
    // What took less than the observer tells of took 16 ms at most.
    found[kind].push((await page.evaluate(() => Math.max(16, ...window.delays))));
  });
  await context.close();
  return found;
}
