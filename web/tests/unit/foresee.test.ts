/** What moves of markers do is told before they are made, from the effects that the rules foretell. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { RulesApi } from '../../src/lib/api/types';
import { foresee } from '../../src/lib/board/foresee';
import { pick, targets } from '../../src/lib/board/gestures';
import { placeKey } from '../../src/lib/board/place';
import { sq } from '../fixtures/positions';
import { realRules } from './wasm';

let rules: RulesApi;
beforeAll(async () => {
  rules = await realRules();
});

function picked(fen: string, square: string) {
  const { legal } = rules.view({ variant: 'portalduel', fen, moves: [] });
  const { gesture } = pick(legal, sq(square), 'marker');
  const map = new Map(targets(legal, gesture).map((g) => [placeKey(g.place), g]));
  return { map, told: (pointed: string | null) => foresee(legal, gesture, map, pointed) };
}

describe('a portal in hand', () => {
  // White's portal on d4; a black knight on d3, a black pawn on c5 beside Black's portal on d5, and a white rook on h6.
  const fen = '4k3/8/7R/2pp4/8/3n4/8/7K w - - d4e5 0 1';

  it('tells a plain step, a sending and a black hole apart', () => {
    const { map } = picked(fen, 'd4');
    expect(map.get('A:c4')?.shape).toBe('move');
    expect(map.get('A:d3')?.shape).toBe('send');
    expect(map.get('A:d5')?.shape).toBe('send');
    expect(map.get('A:e5')?.shape).toBe('collapse');
  });

  it('shows what would vanish in the black hole, and nothing else', () => {
    expect(picked(fen, 'd4').told(null)?.vanish.map(placeKey)).toEqual(['A:d5']);
  });

  it('shows where a piece would be sent when it is pointed at', () => {
    const { told } = picked(fen, 'd4');
    expect(told(null)?.sent).toBeNull();
    expect(told('A:d3')?.vanish).toEqual([]);
    expect(told('A:d3')?.sent).toMatchObject({ piece: { role: 'N', color: 'black' }, to: sq('e5') });
  });

  it('shows it at once when there is but one', () => {
    expect(picked('4k3/8/8/8/8/3n4/8/7K w - - d4h5 0 1', 'd4').told(null)?.sent).toMatchObject({ to: sq('h5') });
  });

  it('a piece in hand foretells nothing', () => {
    const { legal } = rules.view({ variant: 'chess', fen: null, moves: [] });
    expect(foresee(legal, pick(legal, sq('e2')).gesture, new Map(), null)).toBeNull();
  });
});
