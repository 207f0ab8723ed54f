/** Where the app is, on the browser's own history. */
import { parseRoute, type Route } from './router';

let current: Route = $state.raw({ page: 'home' });
/** Changes with every navigation, also to the same address. */
let visit = $state(0);

export function startRouter(): void {
  const read = () => {
    current = parseRoute(location);
    visit++;
  };
  addEventListener('popstate', read);
  document.addEventListener('click', onClick);
  read();
}

export function route(): Route {
  return current;
}

export function visits(): number {
  return visit;
}

export function navigate(to: string, replace = false): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  current = parseRoute(location);
  visit++;
  scrollTo(0, 0);
}

/** Links inside the app change the page without loading it anew. */
function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  event.preventDefault();
  if (link.pathname === location.pathname && link.search === location.search && link.hash) {
    // A place on this page is no other visit: its entry, and what is kept with it, stays.
    const place = document.getElementById(link.hash.slice(1));
    place?.scrollIntoView();
    place?.focus();
    return;
  }
  navigate(link.href);
}
