import { describe, expect, it } from 'vitest';
import { href, parseRoute, type Route } from '../../src/lib/router';

const parse = (address: string) => parseRoute(new URL(address, 'http://localhost'));

describe('addresses', () => {
  it('name the pages', () => {
    expect(parse('/')).toEqual({ page: 'home' });
    expect(parse('/pieces')).toEqual({ page: 'pieces' });
    expect(parse('/play/chess')).toEqual({ page: 'play', variant: 'chess', fen: null, side: 'white', level: 3 });
    expect(parse('/play')).toEqual({ page: 'notFound', path: '/play' });
    expect(parse('/play/chess/more')).toMatchObject({ page: 'notFound' });
  });

  it('carry a position, a side and a level', () => {
    expect(parse('/play/chess?fen=8/8/8/8%20w%20-%20-&side=black&level=8')).toMatchObject({
      fen: '8/8/8/8 w - -',
      side: 'black',
      level: 8,
    });
  });

  it('fall back to the defaults for what cannot be', () => {
    expect(parse('/play/chess?side=green&level=99&fen=')).toMatchObject({ fen: null, side: 'white', level: 3 });
    expect(parse('/play/%E0%A4%A')).toMatchObject({ page: 'play', variant: '%E0%A4%A' });
  });

  it('are written so that they read back', () => {
    const routes: Exclude<Route, { page: 'notFound' }>[] = [
      { page: 'home' },
      { page: 'pieces' },
      { page: 'play', variant: 'chess', fen: null, side: 'white', level: 3 },
      { page: 'play', variant: 'a b/c', fen: '8/8[Qn] w - - b4c4 0 1|x', side: 'random', level: 1 },
    ];
    for (const route of routes) expect(parse(href(route))).toEqual(route);
  });
});
