import { describe, expect, it } from 'vitest';
import { viewFromWire, type WireView } from '../../src/lib/api/wire';
import * as fixture from '../fixtures/positions';

describe('the form that the rules send', () => {
  it('becomes the form of the client', () => {
    const { pieces, legal, ...rest } = fixture.duel;
    const wire: WireView = {
      ...rest,
      men: pieces,
      legal: legal.map((m) => ({ ...m, mover: m.mover === 'piece' ? 'man' : m.mover })),
    };
    expect(viewFromWire(wire)).toEqual(fixture.duel);
  });
});
