/** Addresses of the app. Pure: the browser's history is in router.svelte.ts. */
import type { Color } from './api/types';

export type Side = Color | 'random';

export type Route =
  | { page: 'home' }
  | { page: 'play'; variant: string; fen: string | null; side: Side; level: number }
  | { page: 'pieces' }
  | { page: 'notFound'; path: string };

export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export const DEFAULT_LEVEL = 3;

export function parseRoute(url: { pathname: string; search: string }): Route {
  const params = new URLSearchParams(url.search);
  const parts = url.pathname.split('/').filter(Boolean).map(decode);
  const [first, second, ...rest] = parts;
  if (first === undefined) return { page: 'home' };
  if (first === 'pieces' && second === undefined) return { page: 'pieces' };
  if (first === 'play' && second !== undefined && rest.length === 0) {
    return {
      page: 'play',
      variant: second,
      fen: params.get('fen') || null,
      side: parseSide(params.get('side')),
      level: parseLevel(params.get('level')),
    };
  }
  return { page: 'notFound', path: url.pathname };
}

/** The address of a route. What is at its default is left out. */
export function href(route: Exclude<Route, { page: 'notFound' }>): string {
  switch (route.page) {
    case 'home':
      return '/';
    case 'pieces':
      return '/pieces';
    case 'play': {
      const params = new URLSearchParams();
      if (route.fen !== null) params.set('fen', route.fen);
      if (route.side !== 'white') params.set('side', route.side);
      if (route.level !== DEFAULT_LEVEL) params.set('level', String(route.level));
      const query = params.toString();
      return `/play/${encodeURIComponent(route.variant)}${query ? `?${query}` : ''}`;
    }
  }
}

export function parseSide(text: string | null): Side {
  return text === 'black' || text === 'random' ? text : 'white';
}

export function parseLevel(text: string | null): number {
  const level = Number(text);
  return LEVELS.some((l) => l === level) ? level : DEFAULT_LEVEL;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
