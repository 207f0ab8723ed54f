/** Who the person is to the server, the connection, and what waits for an answer. */
import { server, type Challenge, type Who } from '../api/server';
import { recall, remember } from '../ui/storage';
import { Connection, type Env, type LinkState, type Socket } from './connection';
import type { PlayerMessage, Welcome } from './messages';

const browser: Env = {
  open: () => {
    // Without a network an attempt would only be an error in the log; the browser says when there is one again.
    if (!navigator.onLine) throw new Error('no network');
    return new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`) as Socket;
  },
  now: () => performance.now(),
  after: (millis, call) => {
    const timer = setTimeout(call, millis);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

export const connection = new Connection(browser);

let state: LinkState = $state('idle');
let lag: number | null = $state(null);
let who: Who | null = $state.raw(null);
/** How long to wait when the server was not there, in milliseconds. */
const RETRY = 5000;
let going: Promise<void> | null = null;
/** Challenges of the person's and to the person, that wait. */
let waiting: Challenge[] = $state.raw([]);
/** A game of the person's that has begun by a challenge that somebody took. */
let begun: Challenge | null = $state.raw(null);
let unreachable = $state(false);

connection.onchange = () => {
  state = connection.state;
  lag = connection.lag;
  if (state === 'open') unreachable = false;
};

export const link = {
  get state(): LinkState {
    return state;
  },
  get lag(): number | null {
    return lag;
  },
  /** Whether it is there, or has only just been asked for. */
  get broken(): boolean {
    return state === 'waiting' || unreachable;
  },
};

/** The account, or null for somebody without one; undefined as long as the server has not told. */
export function me(): Who | null {
  return who;
}

export function loggedIn(): boolean {
  return typeof who?.id === 'string';
}

export function challengesWaiting(): Challenge[] {
  return waiting;
}

export function begunGame(): Challenge | null {
  return begun;
}

export function seenBegun(): void {
  begun = null;
}

/** Whether a challenge is the person's own. */
export function isMine(challenge: Challenge): boolean {
  if (who !== null && who.id !== null) return challenge.by.user === who.id;
  return challenge.by.user === null && waiting.some((c) => c.id === challenge.id && c.to === null);
}

/** Whether this browser has something to do with the server also on pages that can do without. */
export function isKnown(): boolean {
  return recall('online') === 'yes';
}

/** Begins a session, and connects. May be called again and again; it is done when the server has told who one is. */
export function goOnline(): Promise<void> {
  going ??= begin();
  return going;
}

async function begin(): Promise<void> {
  // Without a network every attempt would only be an error in the log.
  if (!navigator.onLine) {
    unreachable = true;
    going = null;
    return;
  }
  try {
    // First the cookie, so that the connection comes with it and not with one of its own.
    who = await server.session();
    waiting = await server.challenges();
    unreachable = false;
    connection.start();
  } catch {
    unreachable = true;
    setTimeout(() => {
      going = null;
      void goOnline();
    }, RETRY);
  }
}

/** The session is another's now: after login, registration and logout. */
export function becomes(next: Who | null): void {
  who = next;
  waiting = [];
  remember('online', typeof next?.id === 'string' ? 'yes' : 'no');
  // First the session, then the connection: each alone would be given a cookie of its own.
  connection.stop();
  going = null;
  void goOnline();
}

/** Challenges made or answered here show at once. */
export function noteChallenge(challenge: Challenge): void {
  const rest = waiting.filter((c) => c.id !== challenge.id);
  waiting = challenge.status === 'open' ? [...rest, challenge] : rest;
}

export function forgetChallenge(id: string): void {
  waiting = waiting.filter((c) => c.id !== id);
}

async function readChallenges(): Promise<void> {
  try {
    waiting = await server.challenges();
  } catch {
    // The next connection asks again.
  }
}

connection.onPlayer((message: PlayerMessage | Welcome) => {
  switch (message.t) {
    case 'welcome':
      // An account whose session has ended elsewhere is told here first.
      if (who && who.id !== message.you.user) who = { id: message.you.user, username: message.you.name, bot: false };
      void readChallenges();
      break;
    case 'challenge':
      noteChallenge(message.challenge);
      break;
    case 'challenge-accepted':
      if (message.challenge.to === null || message.challenge.to !== who?.id) begun = message.challenge;
      forgetChallenge(message.challenge.id);
      break;
    case 'challenge-declined':
    case 'challenge-canceled':
      forgetChallenge(message.challenge.id);
      break;
    default:
      break;
  }
});

export function startOnline(): void {
  addEventListener('online', () => {
    void goOnline();
    connection.wake();
  });
  addEventListener('offline', () => connection.lost());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') connection.wake();
  });
}
