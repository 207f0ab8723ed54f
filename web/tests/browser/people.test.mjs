/** How people find each other: the lobby, links, names; accounts, players, leaderboards. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { square, useBrowser } from './lib.mjs';
import { begin, Person } from './online.mjs';

useBrowser();

/** Names are taken once on a server, and the same server may serve many runs. */
const RUN = Date.now().toString(36);
const [ANN, BOB] = [`Ann_${RUN}`, `Bob_${RUN}`];
const PASSWORD = 'correct horse battery';

let people = [];
async function come(options) {
  const person = await Person.come(options);
  people.push(person);
  return person;
}
/** Runs a test with whoever comes, and sees them off. */
const among = (use) => async () => {
  people = [];
  try {
    await use();
  } finally {
    for (const person of people) await person.leave();
  }
};

// One login for the file: accounts are made once, and their cookies go into each context.
const cookies = {};
async function cookiesOf(name) {
  if (!cookies[name]) {
    const person = await Person.come();
    await person.ask('POST', '/api/register', { username: name, password: PASSWORD });
    cookies[name] = await person.context.cookies();
    await person.leave();
  }
  return cookies[name];
}

async function comeAs(name) {
  const person = await come();
  await person.context.clearCookies();
  await person.context.addCookies(await cookiesOf(name));
  await person.open('/');
  await person.page.evaluate(() => localStorage.setItem('warpchess.online', 'yes'));
  return person;
}

const inGame = (person) => person.page.locator('[data-game][data-ready]').waitFor();
const rival = (person, text) => person.page.getByTestId('lobby').locator('[data-challenge]').filter({ hasText: text });

describe('the lobby', () => {
  it(
    'a challenge is made as one likes it, shows up for others at once, and is joined',
    among(async () => {
      const [one, other] = [await come(), await come()];
      await Promise.all([one.open('/'), other.open('/')]);
      await other.page.getByTestId('lobby').waitFor();
      await one.button('More choices…').click();
      const form = one.page.getByTestId('make');
      await form.locator('[name="game"]').selectOption('teleport');
      await form.locator('[name="minutes"]').selectOption('45');
      await form.locator('[name="increment"]').selectOption('30');
      await form.getByText('White', { exact: true }).click();
      await form.getByRole('button', { name: 'Open the challenge' }).click();
      await one.page.locator('[data-own]').waitFor();
      const row = rival(other, '45+30');
      await row.waitFor();
      // One does not see one's own among those to join.
      assert.equal(await rival(one, '45+30').count(), 0);
      await row.getByRole('button', { name: /^Join/ }).click();
      await Promise.all([inGame(one), inGame(other)]);
      assert.equal(await one.page.locator('[data-game]').getAttribute('data-side'), 'white');
      assert.equal(await other.page.locator('[data-game]').getAttribute('data-variant'), 'teleport');
    }),
  );

  it(
    'a challenge that is taken back is gone for others',
    among(async () => {
      const [one, other] = [await come(), await come()];
      await other.open('/');
      await other.page.getByTestId('lobby').waitFor();
      const control = { kind: 'days', days: 14 };
      const made = await one.ask('POST', '/api/challenges', { variant: 'chess', control, color: 'random', rated: false, opponent: { kind: 'lobby' } });
      const row = other.page.locator(`[data-challenge="${made.challenge.id}"]`);
      await row.waitFor();
      await one.open('/');
      await one.page.locator(`[data-own="${made.challenge.id}"]`).getByRole('button', { name: 'Cancel' }).click();
      await row.waitFor({ state: 'detached' });
    }),
  );

  it(
    'two who ask for the same time get each other at once',
    among(async () => {
      const [one, other, third] = [await come(), await come(), await come()];
      // Whoever waits for the same from an earlier run is given a game first.
      for (const { id, variant, control } of await third.ask('GET', '/api/lobby')) {
        if (variant === 'splitportal' && control.limit === 1_800_000) await third.ask('POST', `/api/challenges/${id}/accept`);
      }
      await Promise.all([one.open('/'), other.open('/')]);
      for (const person of [one, other]) await person.page.getByTestId('people').locator('select').first().selectOption('splitportal');
      await one.button('30+20').click();
      await one.page.locator('[data-own]').waitFor();
      await rival(other, '30+20').first().waitFor();
      await other.button('30+20').click();
      await Promise.all([inGame(one), inGame(other)]);
    }),
  );

  it(
    'games under way are there to watch',
    among(async () => {
      const [one, other, third] = [await come(), await come(), await come()];
      const game = await begin(one, other, { variant: 'porthole' });
      for (const [who, ply, uci] of [[one, 0, 'e2e4'], [other, 1, 'e7e5']]) {
        await who.ask('POST', `/api/games/${game}/actions`, { action: 'move', ply, uci });
      }
      await third.open('/');
      await third.page.getByTestId('live').locator(`a[href="/game/${game}"]`).click();
      await third.sees(2);
      assert.equal(await third.page.locator('[data-game]').getAttribute('data-side'), 'none');
    }),
  );
});

describe('by link', () => {
  it(
    'who has the link accepts, and both are in the game',
    among(async () => {
      const [one, other] = [await come(), await come()];
      await one.open('/');
      await one.button('More choices…').click();
      const form = one.page.getByTestId('make');
      await form.getByText('A friend, by link').click();
      await form.getByText('None', { exact: true }).click();
      await form.getByRole('button', { name: 'Open the challenge' }).click();
      const link = await one.page.getByLabel('Link to the game').inputValue();
      await one.page.getByRole('img', { name: 'The address as a QR code' }).waitFor();
      await one.page.reload();
      await one.page.getByLabel('Link to the game').waitFor();
      await other.open(new URL(link).pathname);
      await other.button('Accept and play').click();
      await Promise.all([inGame(one), inGame(other)]);
      // Later the link leads to the game.
      const third = await come();
      await third.open(new URL(link).pathname);
      await third.page.getByRole('link', { name: 'To the game', exact: true }).click();
      await inGame(third);
    }),
  );

  it(
    'one that is taken back says so',
    among(async () => {
      const [one, other] = [await come(), await come()];
      const made = await one.ask('POST', '/api/challenges', { variant: 'chess', control: { kind: 'unlimited' }, color: 'random', rated: false, opponent: { kind: 'link' } });
      await other.open(`/challenge/${made.challenge.id}`);
      await other.button('Accept and play').waitFor();
      await one.open(`/challenge/${made.challenge.id}`);
      await one.button('Take it back').click();
      await one.page.getByText('The challenge was taken back.').waitFor();
      other.expected.push(/409/);
      await other.button('Accept and play').click();
      await other.page.getByText('The challenge was taken back.').waitFor();
    }),
  );
});

describe('players with names', () => {
  it(
    'one challenges another from the player page, who is told wherever they are, declines, and then accepts',
    among(async () => {
      const [ann, bob] = [await comeAs(ANN), await comeAs(BOB)];
      await bob.open('/rules/chess');
      await ann.open(`/player/${BOB}`);
      for (const answer of ['Decline', 'Accept']) {
        await ann.open(`/player/${BOB}`);
        await ann.button(`Challenge ${BOB}`).click();
        const form = ann.page.getByTestId('make');
        await form.locator('[name="game"]').selectOption('portalduel');
        await form.locator('[name="rated"]').check();
        await form.getByRole('button', { name: 'Open the challenge' }).click();
        await ann.page.locator('[data-challenge-status="open"]').waitFor();
        const notice = bob.page.getByTestId('notices').locator('[data-incoming]');
        await notice.getByText(`${ANN} 1500? challenges you.`).waitFor();
        await notice.getByRole('button', { name: answer }).click();
        if (answer === 'Decline') await ann.page.getByText('The challenge was declined.').waitFor();
      }
      await Promise.all([inGame(ann), inGame(bob)]);
      assert.match(await ann.page.locator('.kind').innerText(), /Rated/);
    }),
  );

  it(
    'a rated game changes ratings, is in the list of games and in the chart',
    among(async () => {
      const [ann, bob] = [await comeAs(ANN), await comeAs(BOB)];
      const game = await begin(ann, bob, { variant: 'teleport', rated: true, control: { kind: 'live', limit: 300_000, increment: 0 } });
      await Promise.all([ann.sit(game), bob.sit(game)]);
      await ann.write('e2e4');
      await bob.sees(1);
      await bob.write('e7e5');
      await ann.sees(2);
      await ann.button('Resign').click();
      await ann.button('Really resign?').click();
      await bob.page.getByTestId('result').getByText(/Rating 1500 → 1\d+ \(\+\d+\)/).waitFor();
      await bob.page.locator(`[data-player] a`).filter({ hasText: ANN }).click();
      await bob.page.locator('[data-player-page]').waitFor();
      await bob.page.getByRole('img', { name: /^Rating in/ }).waitFor();
      const row = bob.page.getByTestId('games').locator(`a[href="/game/${game}"]`);
      assert.match(await row.innerText(), /lost −\d+/);
      await row.click();
      await bob.page.getByTestId('result').waitFor();
    }),
  );

  it(
    'older games come page by page',
    among(async () => {
      const [ann, bob] = [await comeAs(ANN), await comeAs(BOB)];
      for (let i = 0; i < 21; i++) {
        const game = await begin(ann, bob);
        for (const [who, ply, uci] of [[ann, 0, 'e2e4'], [bob, 1, 'e7e5']]) {
          await who.ask('POST', `/api/games/${game}/actions`, { action: 'move', ply, uci });
        }
        await ann.ask('POST', `/api/games/${game}/actions`, { action: 'resign' });
      }
      await ann.open(`/player/${ANN}`);
      const rows = ann.page.getByTestId('games').locator('a');
      await rows.first().waitFor();
      const before = await rows.count();
      await ann.button('Older games').click();
      await ann.page.waitForFunction((n) => document.querySelectorAll('[data-testid="games"] a').length > n, before);
      const ids = await rows.evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      assert.equal(new Set(ids).size, ids.length, 'each game is listed once');
    }),
  );

  it(
    'a player that there is not is told of, and leaderboards are there',
    among(async () => {
      const one = await come();
      one.expected.push(/404/);
      await one.open('/player/nobody_at_all');
      await one.page.getByText('There is no player called “nobody_at_all”.').waitFor();
      await one.open('/leaderboards?game=porthole&speed=rapid');
      await one.page.getByText('Nobody yet').waitFor();
      await one.page.getByLabel('Speed').selectOption('blitz');
      await one.page.waitForFunction(() => location.search === '?game=porthole');
    }),
  );
});

describe('an account', () => {
  it(
    'is made, logged out of and into; its password is changed; a token is shown once; data are handed out; it is deleted',
    among(async () => {
      const one = await come();
      const name = `Cid_${RUN}`;
      const fill = async (username, password) => {
        await one.page.locator('[name="username"]').fill(username);
        await one.page.locator('[name="password"]').fill(password);
      };
      await one.open('/register');
      one.expected.push(/400|401|409/);
      await fill(name, 'short');
      await one.page.locator('form').getByRole('button', { name: 'Make an account' }).click();
      await one.page.getByRole('alert').waitFor();
      await fill(name, PASSWORD);
      await one.page.locator('form').getByRole('button', { name: 'Make an account' }).click();
      await one.page.locator('[data-me]').click();
      await one.page.getByRole('heading', { name, level: 1 }).waitFor();

      await one.page.locator('[name="old"]').fill('something else');
      await one.page.locator('[name="new"]').fill(`${PASSWORD} 2`);
      await one.button('Change').click();
      await one.page.getByRole('alert').waitFor();
      await one.page.locator('[name="old"]').fill(PASSWORD);
      await one.button('Change').click();
      await one.page.getByText('The password is changed.').waitFor();

      await one.page.locator('input[name="description"]').fill('my program');
      await one.page.locator('input[value="board:play"]').check();
      await one.button('Make the token').click();
      const token = await one.page.getByTestId('token').innerText();
      assert.match(token, /^wct_/);
      await one.page.reload();
      await one.page.getByTestId('tokens').getByText('my program').waitFor();
      assert.equal(await one.page.getByTestId('token').count(), 0);
      await one.page.getByRole('button', { name: 'End the token “my program”' }).click();
      await one.page.getByTestId('tokens').getByText('No tokens.').waitFor();

      const [download] = await Promise.all([one.page.waitForEvent('download'), one.button('Download your data').click()]);
      assert.equal(download.suggestedFilename(), `warpchess-${name}.json`);

      await one.button('Log out').click();
      await one.page.getByRole('link', { name: 'Log in' }).click();
      await fill(name, PASSWORD);
      await one.page.locator('form').getByRole('button', { name: 'Log in' }).click();
      await one.page.getByRole('alert').waitFor();
      await fill(name, `${PASSWORD} 2`);
      await one.page.locator('form').getByRole('button', { name: 'Log in' }).click();
      await one.page.locator('[data-me]').click();

      await one.button('Delete the account…').click();
      await one.page.locator('[name="sure"]').fill(`${PASSWORD} 2`);
      await one.button('Delete it for good').click();
      await one.page.getByRole('link', { name: 'Log in' }).waitFor();
      one.expected.push(/404/);
      await one.open(`/player/${name}`);
      await one.page.getByText('There is no player called').waitFor();
    }),
  );
});

it(
  'without a server the page says so, and leads to what works without',
  among(async () => {
    const one = await come();
    one.expected.push(/503|Failed to load/);
    await one.page.route('**/api/session', (route) => route.fulfill({ status: 503, body: 'down' }));
    await one.open('/');
    await one.page.getByText('No connection to the server.').waitFor();
    await one.page.getByRole('link', { name: 'Play Chess' }).click();
    await square(one.page, 'e2').waitFor();
    await one.open('/login');
    await one.page.locator('[name="username"]').waitFor();
  }),
);
