/** Small parts of the board: movement pictures, drawn marks, gestures carried into the turn, settings, sounds. */
import { describe, expect, it } from 'vitest';
import { carryOver, pick, tap } from '../../src/lib/board/gestures';
import { toggle, type Mark } from '../../src/lib/board/marks';
import { ways } from '../../src/lib/board/movement';
import { parseSettings } from '../../src/lib/ui/settings.svelte';
import { soundOf } from '../../src/lib/ui/sound';
import * as fixture from '../fixtures/positions';
import { move, sq } from '../fixtures/positions';

describe('how a piece goes, from its notation', () => {
  const count = (betza: string) => ways(betza).length;

  it('steps, leaps and rides', () => {
    expect(count('K')).toBe(8);
    expect(count('N')).toBe(8);
    expect(ways('R').every((w) => w.rides)).toBe(true);
    expect(count('Q')).toBe(8);
    expect(ways('NN')).toHaveLength(8);
    expect(ways('NN').every((w) => w.rides)).toBe(true);
  });

  it('compounds: a step along a line that is ridden anyway is not drawn twice', () => {
    expect(count('BN')).toBe(12);
    expect(count('BK')).toBe(8);
    expect(count('QNN')).toBe(16);
    expect(ways('BNN').filter((w) => w.rides)).toHaveLength(12);
    expect(ways('RKN').filter((w) => !w.rides)).toHaveLength(12);
  });

  it('a pawn moves ahead and captures aslant', () => {
    expect(ways('fmWfceFifmnD')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ dx: 0, dy: 1, use: 'move' }),
        expect.objectContaining({ dx: 0, dy: 2, use: 'move' }),
        expect.objectContaining({ dx: 1, dy: 1, use: 'capture' }),
        expect.objectContaining({ dx: -1, dy: 1, use: 'capture' }),
      ]),
    );
    expect(ways('fmWfceFifmnD').every((w) => w.dy > 0)).toBe(true);
  });
});

describe('drawn marks', () => {
  const arrow: Mark = { from: sq('e2'), to: sq('e4'), colour: 0 };

  it('come and go, and change their colour', () => {
    expect(toggle([], arrow)).toEqual([arrow]);
    expect(toggle([arrow], arrow)).toEqual([]);
    expect(toggle([arrow], { ...arrow, colour: 1 })).toEqual([{ ...arrow, colour: 1 }]);
  });
});

describe('a gesture when the list of moves changes', () => {
  it('goes on with what may still be picked up', () => {
    const { gesture } = pick(fixture.chessStart.legal, sq('e2'));
    expect(carryOver(fixture.chessStart.legal, gesture)).toBe(gesture);
    expect(carryOver(fixture.promotion.legal, gesture)).toBeNull();
    expect(carryOver([], gesture)).toBeNull();
  });

  it('keeps a choice over the moves of the new list', () => {
    const { legal } = fixture.promotion;
    const open = tap(legal, pick(legal, sq('b7')).gesture, sq('b8')).gesture;
    const again = legal.map((m) => ({ ...m }));
    const kept = carryOver(again, open);
    expect(kept?.stage === 'choosing' && kept.moves.every((m) => again.includes(m))).toBe(true);
    expect(carryOver(again.filter((m) => m.role === 'Q' || m.role === null), open)).toBeNull();
  });
});

describe('settings', () => {
  it('take what can be understood and leave the rest at its default', () => {
    const plain = parseSettings(null);
    expect(parseSettings('{')).toEqual(plain);
    expect(parseSettings('7')).toEqual(plain);
    expect(parseSettings('{"board":"wood","sound":false,"pieces":"cats","animation":"no"}')).toEqual({
      ...plain,
      board: 'wood',
      sound: false,
    });
  });
});

describe('the sound of a move', () => {
  it('tells what matters most', () => {
    const at = { from: sq('e2'), to: sq('e4') };
    expect(soundOf(move('x', at), false)).toBe('move');
    expect(soundOf(move('x', { ...at, captures: [sq('e4')] }), false)).toBe('capture');
    expect(soundOf(move('x', { ...at, kind: 'enter' }), false)).toBe('portal');
    expect(soundOf(move('x', { ...at, kind: 'swap' }), false)).toBe('swap');
    expect(soundOf(move('x', { ...at, kind: 'pocket' }), false)).toBe('pocket');
    expect(soundOf(move('x', { ...at, kind: 'drop' }), false)).toBe('drop');
    expect(soundOf(move('x', { ...at, kind: 'drop', check: true }), false)).toBe('check');
    expect(soundOf(move('x', { ...at, check: true }), true)).toBe('end');
  });
});
