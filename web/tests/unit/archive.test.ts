import { describe, expect, it } from 'vitest';
import { ownNames, type ArchivedGame } from '../../src/lib/api/archive';
import { emptyFilter, pageOf, readFilter, toQuery, writeFilter } from '../../src/lib/archive/filter';
import { perCents, readModes, USUAL_MODES } from '../../src/lib/explorer/counts';
import { explorerQuery } from '../../src/lib/explorer/known';
import { area, plyAt, points } from '../../src/lib/study/graph';

describe('what the archive found', () => {
  it('has the names that games have here, so that its links lead somewhere', () => {
    const games = ['standard', 'porthole'].map((variant) => ({ variant }) as ArchivedGame);
    expect(ownNames({ games, cursor: null }).games.map((g) => g.variant)).toEqual(['chess', 'porthole']);
  });
});

describe('what is looked for in the archive', () => {
  const filter = {
    ...emptyFilter(),
    player: 'Ann',
    opponent: 'Bob',
    result: 'win' as const,
    variant: 'chess',
    line: ['e2e4', 'e7e5'],
    analysed: true,
    since: '2026-11-01',
    until: '2026-11-30',
  };

  it('comes back from its address as it was', () => {
    expect(readFilter(`?${writeFilter(filter)}`)).toEqual(filter);
    expect(writeFilter(emptyFilter()).toString()).toBe('');
  });

  it('drops what needs a player or a game when there is none', () => {
    const { opponent, result, line } = readFilter('?opponent=Bob&result=loss&line=e2e4');
    expect([opponent, result, line]).toEqual(['', '', []]);
  });

  it('drops what makes no sense', () => {
    expect(readFilter('?result=stolen&color=green&since=yesterday&rated=maybe')).toEqual(emptyFilter());
  });

  it('asks the server for whole days', () => {
    const query = toQuery(filter);
    const [since, until] = [Number(query.get('since')), Number(query.get('until'))];
    expect(new Date(since).getDate()).toBe(1);
    expect(new Date(until).getDate()).toBe(1);
    expect(new Date(until).getMonth()).toBe(11);
  });

  it('goes on after a cursor', () => {
    expect(pageOf(toQuery(filter), 'x7').get('cursor')).toBe('x7');
    expect(pageOf(toQuery(filter), null).has('cursor')).toBe(false);
  });
});

describe('results in the explorer', () => {
  it('are per cents that add up to a hundred', () => {
    for (const counts of [{ white: 1, draws: 1, black: 1 }, { white: 2, draws: 0, black: 1 }, { white: 7, draws: 11, black: 3 }]) {
      const { white, draws, black } = perCents(counts);
      expect(white + draws + black).toBe(100);
    }
    expect(perCents({ white: 0, draws: 0, black: 0 })).toEqual({ white: 0, draws: 0, black: 0 });
    expect(perCents({ white: 3, draws: 0, black: 1 })).toEqual({ white: 75, draws: 0, black: 25 });
  });

  it('are of the usual kinds of games unless some are chosen', () => {
    expect(readModes(null)).toEqual(USUAL_MODES);
    expect(readModes('import,nonsense')).toEqual(['import']);
  });

  it('are asked for by position and moves', () => {
    const query = new URLSearchParams(explorerQuery({ variant: 'chess', fen: null, moves: ['e2e4', 'e7e5'] }, ['rated']));
    expect([...query]).toEqual([
      ['play', 'e2e4,e7e5'],
      ['modes', 'rated'],
    ]);
  });
});

describe('the evaluation graph', () => {
  it('goes from the first position to the last, White above', () => {
    expect(points([0.5, 1, 0])).toEqual([
      { ply: 0, x: 0, y: 50 },
      { ply: 1, x: 50, y: 0 },
      { ply: 2, x: 100, y: 100 },
    ]);
  });

  it('leaves out what is not known yet', () => {
    expect(points([0.5, null, 0.5]).map((p) => p.ply)).toEqual([0, 2]);
    expect(area([])).toBe('');
  });

  it('leads to the ply that was pointed at', () => {
    expect([plyAt(0, 3), plyAt(0.49, 3), plyAt(1, 3), plyAt(2, 3), plyAt(0.5, 0)]).toEqual([0, 1, 2, 2, 0]);
  });
});
