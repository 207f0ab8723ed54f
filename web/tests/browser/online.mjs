/**
 * Games between people in the browser: two of them in contexts of their own, each with a cookie, at one table. A game is
 * made by the same HTTP calls that the page makes, and moves are written where writing is not the point.
 */
import assert from 'node:assert/strict';
import { BASE_URL, newContext, square } from './lib.mjs';

/** Long enough for the slowest machine: nobody is to lose by time here who does not mean to. */
const HOUR = { kind: 'live', limit: 3_600_000, increment: 0 };

/** Somebody with a browser of their own. Errors that a page logs are kept, and end the test at `leave`. */
export class Person {
  constructor(context, page) {
    this.context = context;
    this.page = page;
    this.errors = [];
    this.expected = [];
    page.setDefaultTimeout(20_000);
    page.setDefaultNavigationTimeout(60_000);
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
    page.on('pageerror', (error) => this.errors.push(String(error)));
  }

  static async come(options = {}) {
    const context = await newContext(options);
    const person = new Person(context, await context.newPage());
    await person.ask('GET', '/api/session');
    return person;
  }

  async ask(method, path, data) {
    const reply = await this.context.request.fetch(new URL(path, BASE_URL).href, { method, data });
    const text = await reply.text();
    assert.ok(reply.ok(), `${method} ${path}: ${reply.status()} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  async open(path) {
    await this.page.goto(new URL(path, BASE_URL).href);
  }

  /** Opens a game, and waits until it is followed. */
  async sit(game, query = '') {
    await this.open(`/game/${game}${query}`);
    await this.page.locator('[data-game][data-ready]').waitFor();
  }

  /** Writes a move. */
  async write(text) {
    await this.page.getByTestId('write').fill(text);
    await this.page.getByTestId('write').press('Enter');
  }

  /** Waits until so many moves are shown, and the last of them is stored. */
  async sees(plies) {
    await this.page.waitForFunction(
      (n) => {
        const made = document.querySelectorAll('[data-testid="moves"] [data-ply]').length;
        return made === n && document.querySelector('[data-game][data-ready]') !== null;
      },
      plies,
      { timeout: 20_000 },
    );
  }

  /** Cuts the line, as a network does. */
  async cut() {
    this.expected.push(/ERR_INTERNET_DISCONNECTED|WebSocket connection/);
    await this.context.setOffline(true);
    await this.page.locator('[data-game]:not([data-ready])').waitFor();
  }

  async mend() {
    await this.context.setOffline(false);
    await this.page.locator('[data-game][data-ready]').waitFor();
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  at(name, board = 'A') {
    return square(this.page, name, board);
  }

  async leave() {
    const unexpected = this.errors.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
    await this.context.close();
    assert.deepEqual(unexpected, [], 'a page logged errors');
  }
}

/** A game between two, who sit at it, and perhaps somebody who watches. */
export async function atTable(wish, use, { watched = false, black: blackOptions = {}, query = '' } = {}) {
  const people = [];
  const come = async (options) => {
    const person = await Person.come(options);
    people.push(person);
    return person;
  };
  try {
    const white = await come();
    const black = await come(blackOptions);
    const game = await begin(white, black, wish);
    const watcher = watched ? await come() : null;
    await Promise.all(people.map((person) => person.sit(game, query)));
    await use({ white, black, watcher, game });
  } finally {
    for (const person of people) await person.leave();
  }
}

/** Begins a game by a link; the first has White. */
export async function begin(white, black, { variant = 'chess', fen = null, control = HOUR, rated = false } = {}) {
  const made = await white.ask('POST', '/api/challenges', { variant, fen, control, color: 'white', rated, opponent: { kind: 'link' } });
  return (await black.ask('POST', `/api/challenges/${made.challenge.id}/accept`)).game;
}

/** Plays moves in turn, as written; whoever is to move writes. White is to move first unless told. */
export async function play({ white, black }, moves, from = 0) {
  const list = typeof moves === 'string' ? moves.split(' ') : moves;
  for (const [i, uci] of list.entries()) {
    const ply = from + i;
    const mover = ply % 2 === 0 ? white : black;
    await mover.sees(ply);
    await mover.write(uci);
    await mover.sees(ply + 1);
  }
  await Promise.all([white.sees(from + list.length), black.sees(from + list.length)]);
}

/** What the server has of a game. */
export const stateOf = (person, game) => person.ask('GET', `/api/games/${game}`);
