import { describe, expect, it } from 'vitest';
import { besideSquare } from '../../src/lib/board/anchor';
import { BoardGeometry, GAP, geometries } from '../../src/lib/board/geometry';
import { joins, linkedTo, linkNumbers } from '../../src/lib/board/joins';
import { placeFromKey, placeKey } from '../../src/lib/board/place';
import * as fixture from '../fixtures/positions';
import { sq } from '../fixtures/positions';
import { CHESS, SPLIT, TWIN } from '../fixtures/variants';

const only = (info: typeof CHESS): BoardGeometry => {
  const [board] = geometries(info);
  if (!board) throw new Error('no board');
  return board;
};

describe('a board', () => {
  it('is seen from either side', () => {
    const board = only(CHESS);
    expect(board.position('a1', 'white')).toEqual({ x: 0, y: 7 });
    expect(board.position('a1', 'black')).toEqual({ x: 7, y: 0 });
    expect(board.rows('white')[0]?.[0]?.square).toBe('a8');
    expect(board.rows('black')[0]?.[0]?.square).toBe('h1');
  });

  it('a1 is dark', () => {
    const cells = only(CHESS).rows('white').flat();
    expect(cells.find((c) => c.square === 'a1')?.light).toBe(false);
    expect(cells).toHaveLength(64);
  });

  it('arrow keys go where the eye goes, and stop at the edge', () => {
    const board = only(CHESS);
    expect(board.step('e2', 0, -1, 'white')).toBe('e3');
    expect(board.step('e2', 0, -1, 'black')).toBe('e1');
    expect(board.step('h1', 1, 0, 'white')).toBe('h1');
  });

  it('has a gap at a divider, and an area on each side', () => {
    const board = only(SPLIT);
    expect(board.width).toBe(8 + GAP);
    expect(board.position('e1', 'white').x).toBe(4 + GAP);
    expect(board.dividerCentres('white')).toEqual([4 + GAP / 2]);
    expect(board.dividerCentres('black')[0]).toBeCloseTo(4 + GAP / 2);
    expect(board.area('d4')).toBe('A');
    expect(board.area('e4')).toBe('B');
    expect(board.areas).toEqual(['A', 'B']);
  });

  it('knows which places it holds', () => {
    const [a, b] = geometries(TWIN);
    expect([a?.holds(sq('e4')), b?.holds(sq('e4'))]).toEqual([true, false]);
    expect(a?.holds({ pocket: 'white' })).toBe(false);
  });
});

describe('places', () => {
  it('have keys that read back', () => {
    for (const place of [sq('e4'), sq('a1', 'B'), { pocket: 'white' }, { transit: 'black' }, { hand: 'white' }] as const) {
      expect(placeFromKey(placeKey(place))).toEqual(place);
    }
    expect(placeFromKey('pocket:green')).toBeNull();
    expect(placeFromKey('nonsense')).toBeNull();
  });
});

describe('what belongs together', () => {
  it('both ends of a link have one number', () => {
    const numbers = linkNumbers(SPLIT);
    expect(numbers.get('A:a4')).toBe(numbers.get('B:e4'));
    expect(new Set(numbers.values()).size).toBe(4);
    expect(linkedTo(SPLIT, sq('h5', 'B'))).toEqual(sq('d5'));
  });

  it('declared teleports point to where they land', () => {
    const lines = joins(fixture.twinDeclared, { stage: 'idle' }, new Map());
    expect(lines.map((l) => l.kind)).toEqual(['declared', 'blocked', 'declared']);
  });

  it('a pair of portals is joined only while it matters', () => {
    expect(joins(fixture.duel, { stage: 'idle' }, new Map())).toEqual([]);
    const picked = { stage: 'picked', from: sq('a4'), mover: 'marker' } as const;
    expect(joins(fixture.duel, picked, new Map())).toEqual([{ from: sq('a4'), to: sq('d5'), kind: 'pair' }]);
  });
});

describe('a dialog', () => {
  const frame = { x: 0, y: 0, width: 400, height: 400 };
  const square = { x: 150, y: 150, width: 50, height: 50 };

  it('stands beside its square', () => {
    expect(besideSquare(square, { width: 100, height: 80 }, frame, [])).toEqual({ x: 206, y: 135 });
  });

  it('stays inside', () => {
    const corner = { x: 350, y: 0, width: 50, height: 50 };
    const at = besideSquare(corner, { width: 100, height: 80 }, frame, []);
    expect(at).toEqual({ x: 244, y: 0 });
  });

  it('does not cover what is to be chosen', () => {
    const exits = [
      { x: 250, y: 150, width: 50, height: 50 },
      { x: 50, y: 150, width: 50, height: 50 },
    ];
    const at = besideSquare(square, { width: 100, height: 80 }, frame, exits);
    expect(at).toEqual({ x: 125, y: 206 });
  });
});
