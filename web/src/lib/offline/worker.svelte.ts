/** The service worker: keeps the site for when there is no network, and tells of a newer version. */

let waiting: ServiceWorker | null = $state.raw(null);

/** Whether a newer version waits to be used. */
export function updateReady(): boolean {
  return waiting !== null;
}

/** Goes over to the newer version; the page is loaded anew by it. */
export function useUpdate(): void {
  waiting?.postMessage('use');
}

export function dismissUpdate(): void {
  waiting = null;
}

/** How often a page that stays open looks for a newer version. */
const LOOK_EVERY = 60 * 60 * 1000;
/** The engine is fetched for later when the page has come to rest. */
const REST = 4000;

export function startOffline(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const begin = () => void register();
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}

async function register(): Promise<void> {
  const controlled = navigator.serviceWorker.controller !== null;
  let reloaded = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker takes over a page that is as new as itself.
    if (!controlled || reloaded) return;
    reloaded = true;
    location.reload();
  });
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    const look = (worker: ServiceWorker | null) => {
      const ready = () => {
        if (worker?.state === 'installed' && navigator.serviceWorker.controller) waiting = worker;
      };
      worker?.addEventListener('statechange', ready);
      ready();
    };
    look(registration.waiting);
    look(registration.installing);
    registration.addEventListener('updatefound', () => look(registration.installing));
    setInterval(() => void registration.update().catch(() => undefined), LOOK_EVERY);
    const { active } = await navigator.serviceWorker.ready;
    if (!savesData()) setTimeout(() => active?.postMessage('keep'), REST);
  } catch {
    // Private windows and old browsers have none: the site works without.
  }
}

function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;
}
