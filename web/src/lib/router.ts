/** Addresses of the app. Pure: the browser's history is in router.svelte.ts. */
import { SPEEDS, type Speed } from './api/server';
import type { Color } from './api/types';

export type Side = Color | 'random';

export type Route =
  | { page: 'home' }
  | { page: 'play'; variant: string; fen: string | null; side: Side; level: number }
  | { page: 'rules'; variant: string; lesson: string | null }
  | {
      page: 'analysis';
      variant: string;
      fen: string | null;
      moves: string[];
      pgn: string | null;
      bottom: Color;
      /** A game that the server keeps. */
      game?: string | null;
    }
  | { page: 'explorer'; variant: string; fen: string | null; moves: string[]; bottom: Color }
  | { page: 'games'; search: string }
  | { page: 'editor'; variant: string; fen: string | null }
  | { page: 'embed'; variant: string; fen: string | null; moves: string[]; bottom: Color }
  | { page: 'pieces' }
  | { page: 'game'; id: string }
  | { page: 'challenge'; id: string }
  | { page: 'player'; name: string }
  | { page: 'login' }
  | { page: 'register' }
  | { page: 'account' }
  | { page: 'leaderboards'; variant: string | null; speed: Speed }
  | { page: 'notFound'; path: string };

export type KnownRoute = Exclude<Route, { page: 'notFound' }>;

export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export const DEFAULT_LEVEL = 3;
const DEFAULT_SPEED: Speed = 'blitz';

export function parseRoute(url: { pathname: string; search: string }): Route {
  const params = new URLSearchParams(url.search);
  const parts = url.pathname.split('/').filter(Boolean).map(decode);
  const [first, second, ...rest] = parts;
  if (first === undefined) return { page: 'home' };
  if (first === 'pieces' && second === undefined) return { page: 'pieces' };
  if (first === 'games' && second === undefined) return { page: 'games', search: url.search };
  if ((first === 'login' || first === 'register' || first === 'account') && second === undefined) return { page: first };
  if (first === 'leaderboards' && second === undefined) {
    const speed = SPEEDS.find((s) => s === params.get('speed')) ?? DEFAULT_SPEED;
    return { page: 'leaderboards', variant: params.get('game') || null, speed };
  }
  if (second === undefined || rest.length > 0) return { page: 'notFound', path: url.pathname };
  const variant = second;
  const fen = params.get('fen') || null;
  const moves = (params.get('moves') ?? '').split(/[\s,]+/).filter(Boolean);
  const bottom = params.get('side') === 'black' ? 'black' : 'white';
  switch (first) {
    case 'game':
      return { page: 'game', id: second };
    case 'challenge':
      return { page: 'challenge', id: second };
    case 'player':
      return { page: 'player', name: second };
    // As the API and clients of other servers write it.
    case '@':
      return { page: 'player', name: second };
    case 'play':
      return {
        page: 'play',
        variant,
        fen,
        side: parseSide(params.get('side')),
        level: parseLevel(params.get('level')),
      };
    case 'rules':
      return { page: 'rules', variant, lesson: params.get('lesson') || null };
    case 'analysis':
      return {
        page: 'analysis',
        variant,
        fen,
        moves,
        pgn: params.get('pgn') || null,
        bottom,
        ...(params.get('game') ? { game: params.get('game') } : {}),
      };
    case 'explorer':
      return { page: 'explorer', variant, fen, moves, bottom };
    case 'editor':
      return { page: 'editor', variant, fen };
    case 'embed':
      return { page: 'embed', variant, fen, moves, bottom };
    default:
      return { page: 'notFound', path: url.pathname };
  }
}

/** The address of a route. What is at its default is left out. */
export function href(route: KnownRoute): string {
  if (route.page === 'home') return '/';
  if (route.page === 'pieces') return '/pieces';
  if (route.page === 'games') return `/games${route.search}`;
  if (route.page === 'login' || route.page === 'register' || route.page === 'account') return `/${route.page}`;
  if (route.page === 'game' || route.page === 'challenge') return `/${route.page}/${encodeURIComponent(route.id)}`;
  if (route.page === 'player') return `/player/${encodeURIComponent(route.name)}`;
  if (route.page === 'leaderboards') {
    const query = [
      ...(route.variant === null ? [] : [`game=${encodeURIComponent(route.variant)}`]),
      ...(route.speed === DEFAULT_SPEED ? [] : [`speed=${route.speed}`]),
    ].join('&');
    return `/leaderboards${query ? `?${query}` : ''}`;
  }
  const params = new URLSearchParams();
  if ('fen' in route && route.fen !== null) params.set('fen', route.fen);
  if ('moves' in route && route.moves.length > 0) params.set('moves', route.moves.join(','));
  if ('bottom' in route && route.bottom !== 'white') params.set('side', route.bottom);
  switch (route.page) {
    case 'play':
      if (route.side !== 'white') params.set('side', route.side);
      if (route.level !== DEFAULT_LEVEL) params.set('level', String(route.level));
      break;
    case 'rules':
      if (route.lesson !== null) params.set('lesson', route.lesson);
      break;
    case 'analysis':
      if (route.pgn !== null) params.set('pgn', route.pgn);
      if (route.game) params.set('game', route.game);
      break;
  }
  // Squares and moves are read by people, too.
  const query = params.toString().replace(/%2C/g, ',').replace(/%2F/g, '/');
  return `/${route.page}/${encodeURIComponent(route.variant)}${query ? `?${query}` : ''}`;
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
