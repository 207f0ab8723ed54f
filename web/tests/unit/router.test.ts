import { describe, expect, it } from 'vitest';
import { href, parseRoute, type KnownRoute } from '../../src/lib/router';

const parse = (address: string) => parseRoute(new URL(address, 'http://localhost'));

describe('addresses', () => {
  it('name the pages', () => {
    expect(parse('/')).toEqual({ page: 'home' });
    expect(parse('/pieces')).toEqual({ page: 'pieces' });
    expect(parse('/play/chess')).toEqual({ page: 'play', variant: 'chess', fen: null, side: 'white', level: 3 });
    expect(parse('/play')).toEqual({ page: 'notFound', path: '/play' });
    expect(parse('/play/chess/more')).toMatchObject({ page: 'notFound' });
  });

  it('may end in a slash', () => {
    for (const path of ['/play/chess/', '/rules/chess/', '/editor/chess/?fen=x']) {
      expect(parse(path)).toMatchObject({ variant: 'chess' });
    }
    expect(parse('/pieces/')).toEqual({ page: 'pieces' });
  });

  it('carry moves, a lesson, a whole game', () => {
    expect(parse('/analysis/chess?moves=e2e4,e7e5%20g1f3&side=black')).toEqual({
      page: 'analysis',
      variant: 'chess',
      fen: null,
      moves: ['e2e4', 'e7e5', 'g1f3'],
      pgn: null,
      bottom: 'black',
    });
    expect(parse('/rules/chess?lesson=castling')).toMatchObject({ lesson: 'castling' });
    expect(parse('/embed/chess?fen=f')).toMatchObject({ page: 'embed', fen: 'f', bottom: 'white' });
    expect(parse('/analysis')).toMatchObject({ page: 'notFound' });
    expect(parse('/nothing/chess')).toMatchObject({ page: 'notFound' });
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
    const routes: KnownRoute[] = [
      { page: 'home' },
      { page: 'pieces' },
      { page: 'play', variant: 'chess', fen: null, side: 'white', level: 3 },
      { page: 'rules', variant: 'chess', lesson: null },
      { page: 'rules', variant: 'chess', lesson: 'castling' },
      { page: 'analysis', variant: 'chess', fen: '8/8 w - -', moves: ['b1^B', 'N@e4', '0000'], pgn: null, bottom: 'black' },
      { page: 'analysis', variant: 'chess', fen: null, moves: [], pgn: '1. e4 {a & b, c/d} *\n', bottom: 'white' },
      { page: 'editor', variant: 'chess', fen: '8/8 w - - -/- 0 1' },
      { page: 'embed', variant: 'chess', fen: '8/8|8/8 w A', moves: ['e2e4'], bottom: 'white' },
      { page: 'play', variant: 'a b/c', fen: '8/8[Qn] w - - b4c4 0 1|x', side: 'random', level: 1 },
      { page: 'analysis', variant: 'chess', fen: null, moves: [], pgn: null, bottom: 'white', game: 'abc123' },
      { page: 'explorer', variant: 'chess', fen: null, moves: ['e2e4'], bottom: 'black' },
      { page: 'games', search: '?player=ann' },
    ];
    for (const route of routes) expect(parse(href(route))).toEqual(route);
  });
});
