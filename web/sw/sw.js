/**
 * Keeps the site for when there is no network. The build writes a copy with the list of files and their version in it;
 * a version's files are kept together, so that a page never gets parts of two.
 *
 * A new version waits until the person agrees or every page of the old one is closed: nothing changes under a game.
 */
const VERSION = '__VERSION__';
const CACHE = `warpchess-${VERSION}`;
/** The page itself, and what it needs to be shown. */
const SHELL = '/';
const FILES = __FILES__;
/** Large, and of use only to who plays the computer or analyses: kept when the page asks for it. */
const LATER = __LATER__;

self.addEventListener('install', (event) => {
  const fresh = FILES.map((path) => new Request(path, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((n) => n.startsWith('warpchess-') && n !== CACHE).map((n) => caches.delete(n)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', (event) => {
  if (event.data === 'use') void self.skipWaiting();
  if (event.data === 'keep') event.waitUntil(keepAll());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    // Boards inside other sites have rules of their own: the server's headers decide whether they may be shown.
    const online = url.pathname.startsWith('/embed/') || isServers(url.pathname);
    event.respondWith(online ? fetch(request).catch(() => shell(request)) : shell(request));
  } else if (FILES.includes(url.pathname) || LATER.includes(url.pathname)) {
    event.respondWith(kept(url.pathname, request));
  }
});

/** What is no page of the app. */
function isServers(path) {
  return path.startsWith('/api/') || path.startsWith('/game/export/') || path === '/healthz' || /\.\w+$/.test(path);
}

async function shell(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(SHELL)) ?? fetch(request);
}

async function kept(path, request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(path);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await cache.put(path, response.clone());
  return response;
}

async function keepAll() {
  const cache = await caches.open(CACHE);
  for (const path of LATER) {
    if (!(await cache.match(path))) await cache.add(path).catch(() => undefined);
  }
}
