/**
 * What the browser tests share: one Chromium, pages that fail a test when anything goes wrong in
 * them, and a player that knows the page only by what it offers to everybody.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

export const BASE_URL = process.env.BASE_URL;
if (!BASE_URL) throw new Error('BASE_URL is missing: the address of a running server, such as http://127.0.0.1:8080');

/** How long the computer may think at its easiest, in milliseconds. */
const THINK = 20_000;

let browser;

/** Call once a file: starts the browser before its tests and stops it after them. */
export function useBrowser() {
  before(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-background-networking'],
    });
  });
  after(() => browser?.close());
}

/** A browser of somebody's own. */
export function newContext(options = {}) {
  return browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    // What a service worker keeps is not the test's to hold back; tests of it allow it.
    serviceWorkers: 'block',
    ...options,
  });
}

/**
 * Opens a page, gives it to `use`, and fails if the page logged an error (a refused policy is one).
 * `expected` are patterns of errors that the test provokes.
 */
export async function withPage(path, use, { expected = [], prepare, ...options } = {}) {
  const context = await newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.setDefaultNavigationTimeout(60_000);
  const errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  try {
    await prepare?.(page, context);
    await page.goto(new URL(path, BASE_URL).href);
    await use(page, context);
    const unexpected = errors.filter((text) => !expected.some((pattern) => pattern.test(text)));
    assert.deepEqual(unexpected, [], 'the page logged errors');
  } finally {
    await context.close();
  }
}

/** The address of a game at its easiest level. */
export function playPath(variant, { fen, side = 'white', level = 1, lang } = {}) {
  const params = new URLSearchParams({ side, level: String(level) });
  if (fen) params.set('fen', fen);
  if (lang) params.set('lang', lang);
  return `/play/${variant}?${params}`;
}

export const board = (page, id = 'A') => page.locator(`[data-board="${id}"]`);
export const square = (page, name, id = 'A') => board(page, id).locator(`[data-square="${name}"]`);
export const pocket = (page, color = 'white') => page.locator(`[data-pocket="${color}"]`);
export const dialog = (page) => page.getByRole('dialog');
export const status = (page) => page.getByRole('status');
export const moves = (page) => page.getByTestId('moves');

export async function label(page, name, id = 'A') {
  return (await square(page, name, id).getAttribute('aria-label')) ?? '';
}

export async function plies(page) {
  return moves(page).locator('[data-ply]').count();
}

export async function lastSan(page, back = 1) {
  const all = await moves(page).locator('[data-ply]').allTextContents();
  return all.at(-back)?.trim();
}

/** Waits until so many moves have been made and the person may move again, or the game is over. */
export async function waitForTurn(page, atLeast) {
  await page.waitForFunction(
    (n) => {
      if (document.querySelector('[data-testid="result"]')) return true;
      const made = document.querySelectorAll('[data-testid="moves"] [data-ply]').length;
      const free = document.querySelector('[data-pickable], [data-action]');
      return made >= n && free !== null;
    },
    atLeast,
    { timeout: THINK },
  );
}

export async function isOver(page) {
  return (await page.getByTestId('result').count()) > 0;
}

/** Taps one square after another, then waits for the computer's answer. */
export async function play(page, ...steps) {
  const made = await plies(page);
  for (const step of steps) await step.click();
  await waitForTurn(page, made + 2);
}

/** A small generator of its own, so that a failing game can be played again. */
export function random(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/**
 * Makes one move by tapping what is marked: something that can be picked up, a place where it can
 * go, and whatever choice is asked for. Returns false when the game is over.
 */
export async function playAnything(page, choose, press = (what) => what.click()) {
  const made = await plies(page);
  if (await isOver(page)) return false;
  const action = page.locator('[data-action="pass"], [data-action="transfer"]');
  if ((await action.count()) > 0) {
    await press(action.first());
  } else {
    // What is off the board may be picked up already.
    if ((await page.locator('[data-target]').count()) === 0) {
      const sources = page.locator('[data-pickable]');
      await press(sources.nth(choose(await sources.count())));
    }
    const goals = page.locator('[data-target]');
    const count = await goals.count();
    assert.ok(count > 0, 'what is picked up can go somewhere');
    await press(goals.nth(choose(count)));
    for (let i = 0; i < 2 && (await dialog(page).count()) > 0; i++) {
      const options = dialog(page).locator('[data-choice]');
      await press(options.nth(choose(await options.count())));
    }
  }
  await page.waitForFunction(
    (n) => document.querySelectorAll('[data-testid="moves"] [data-ply]').length > n,
    made,
    { timeout: THINK },
  );
  await waitForTurn(page, made + 2);
  return !(await isOver(page));
}

/**
 * For `prepare`: the computer answers when the test says so, with the move that the test says. Its
 * thread is a stand-in that keeps the question until `answer` is called.
 */
export async function holdComputer(page) {
  await page.addInitScript(() => {
    const asked = [];
    window.Worker = class {
      postMessage(message) {
        if (message.id !== undefined) asked.push({ id: message.id, worker: this });
      }
      terminate() {
        const rest = asked.filter((one) => one.worker !== this);
        asked.splice(0, asked.length, ...rest);
      }
    };
    window.answerWith = (uci) => {
      const one = asked.shift();
      const result = { uci, scoreCp: 0, mate: null, depth: 1, nodes: 1, pv: [uci] };
      one?.worker.onmessage?.({ data: { type: 'result', id: one.id, result } });
      return one !== undefined;
    };
  });
}

/** Lets the held computer make a move, once it has been asked. */
export async function answer(page, uci) {
  await page.waitForFunction((text) => window.answerWith(text), uci);
}

/** Waits until so many moves have been made. */
export async function waitForPlies(page, count) {
  await page.waitForFunction(
    (n) => document.querySelectorAll('[data-testid="moves"] [data-ply]').length >= n,
    count,
    { timeout: THINK },
  );
}
