import { describe, expect, it } from 'vitest';
import type { LegalMove, Place } from '../../src/lib/api/types';
import {
  cancel,
  choose,
  initialGesture,
  moversAt,
  options,
  pick,
  tap,
  targets,
  type Gesture,
} from '../../src/lib/board/gestures';
import { placeKey } from '../../src/lib/board/place';
import * as fixture from '../fixtures/positions';
import { sq } from '../fixtures/positions';

/** Taps one place after another; returns the last step. */
function taps(legal: LegalMove[], ...places: Place[]) {
  let gesture: Gesture = initialGesture(legal);
  let step = { gesture, play: null as LegalMove | null, refusal: null as unknown };
  for (const place of places) {
    step = tap(legal, gesture, place);
    gesture = step.gesture;
  }
  return step;
}

const shapes = (legal: LegalMove[], gesture: Gesture) =>
  Object.fromEntries(targets(legal, gesture).map((g) => [placeKey(g.place), g.shape]));

describe('two gestures make a move', () => {
  it('plays the only move between the two places', () => {
    expect(taps(fixture.chessStart.legal, sq('e2'), sq('e4')).play?.uci).toBe('e2e4');
  });

  it('refuses a place without a move and says between which places', () => {
    const step = taps(fixture.chessStart.legal, sq('e2'), sq('e5'));
    expect(step.play).toBeNull();
    expect(step.gesture.stage).toBe('idle');
    expect(step.refusal).toEqual({ why: 'noSuchMove', from: sq('e2'), to: sq('e5') });
  });

  it('says that there is nothing to move', () => {
    expect(taps(fixture.chessStart.legal, sq('d5')).refusal).toEqual({ why: 'nothingToMove', at: sq('d5') });
  });

  it('lets go at a second tap on the same square', () => {
    expect(taps(fixture.chessStart.legal, sq('e2'), sq('e2')).gesture.stage).toBe('idle');
  });

  it('picks up another piece instead of refusing', () => {
    const step = taps(fixture.chessStart.legal, sq('e2'), sq('g1'));
    expect(step.gesture).toEqual({ stage: 'picked', from: sq('g1'), mover: 'piece' });
  });
});

describe('exchanges', () => {
  const { legal } = fixture.swaps;

  it('a tap on an own piece that is a target makes the exchange', () => {
    expect(taps(legal, sq('a1'), sq('b1')).play?.uci).toBe('a1b1');
  });

  it('a tap on an own piece that is no target selects that one', () => {
    expect(taps(legal, sq('a1'), sq('c2')).gesture).toMatchObject({ stage: 'picked', from: sq('c2') });
  });

  it('marks the exchange by its own shape', () => {
    expect(shapes(legal, pick(legal, sq('b1')).gesture)).toEqual({ 'A:a1': 'swap', 'A:d2': 'swap', 'A:c3': 'move' });
  });
});

describe('choices', () => {
  it('a promotion asks for the role and plays the chosen one', () => {
    const step = taps(fixture.promotion.legal, sq('b7'), sq('b8'));
    expect(step.play).toBeNull();
    expect(options(step.gesture).map((o) => o.role)).toEqual(['Q', 'R', 'B', 'N']);
    const rook = options(step.gesture)[1];
    expect(rook && choose(step.gesture, rook).play?.uci).toBe('b7b8r');
  });

  it('a tap elsewhere cancels the choice and plays nothing', () => {
    const step = taps(fixture.promotion.legal, sq('b7'), sq('b8'), sq('e1'));
    expect(step).toEqual({ gesture: { stage: 'idle' }, play: null, refusal: null });
  });

  it('several exits are chosen on the board', () => {
    const step = taps(fixture.porthole.legal, sq('f3'), sq('d4'));
    expect(step.gesture).toMatchObject({ stage: 'choosing', by: 'exit' });
    expect(shapes(fixture.porthole.legal, step.gesture)).toEqual({ 'A:b4': 'exit', 'A:c4': 'exit', 'A:g5': 'exit' });
    expect(tap(fixture.porthole.legal, step.gesture, sq('c4')).play?.uci).toBe('f3d4c4');
  });

  it('or by a button', () => {
    const { gesture } = taps(fixture.porthole.legal, sq('f3'), sq('d4'));
    const exits = options(gesture);
    expect(exits.map((o) => o.exit)).toEqual([sq('b4'), sq('c4'), sq('g5')]);
    expect(exits[2] && choose(gesture, exits[2]).play?.uci).toBe('f3d4g5');
  });

  it('one exit needs no choice', () => {
    expect(taps(fixture.porthole.legal, sq('f3'), sq('g5')).play?.uci).toBe('f3g5b4');
  });

  it('exit first, role after it, when both are open', () => {
    const both = ['b4', 'c4'].flatMap((exit) =>
      ['Q', 'N'].map((role) =>
        fixture.move(`${exit}${role}`, { kind: 'enter', from: sq('f3'), to: sq('d4'), exit: sq(exit), role }),
      ),
    );
    const exit = taps(both, sq('f3'), sq('d4'));
    expect(exit.gesture).toMatchObject({ by: 'exit' });
    const role = tap(both, exit.gesture, sq('b4'));
    expect(role.gesture).toMatchObject({ by: 'role' });
    expect(options(role.gesture).map((o) => o.moves.map((m) => m.uci))).toEqual([['b4Q'], ['b4N']]);
  });

  it('moves that differ in nothing shown are told apart by their text', () => {
    const twins = ['a', 'b'].map((uci) => fixture.move(uci, { from: sq('e2'), to: sq('e4') }));
    const { gesture } = taps(twins, sq('e2'), sq('e4'));
    expect(gesture).toMatchObject({ by: 'move' });
    expect(options(gesture)).toHaveLength(2);
  });
});

describe('a piece and a portal on one square', () => {
  const { legal } = fixture.duel;

  it('offers both', () => {
    expect(moversAt(legal, sq('a4'))).toEqual(['piece', 'marker']);
  });

  it('the piece first, the portal at a second tap, nothing at a third', () => {
    expect(taps(legal, sq('a4')).gesture).toMatchObject({ mover: 'piece' });
    expect(taps(legal, sq('a4'), sq('a4')).gesture).toMatchObject({ mover: 'marker' });
    expect(taps(legal, sq('a4'), sq('a4'), sq('a4')).gesture.stage).toBe('idle');
  });

  it('the same two squares mean the move of what was picked up', () => {
    expect(taps(legal, sq('a4'), sq('b4')).play?.uci).toBe('a4b4');
    expect(taps(legal, sq('a4'), sq('a4'), sq('b4')).play?.uci).toBe('Oa4b4');
  });

  it('tells travel from an ordinary move', () => {
    expect(shapes(legal, pick(legal, sq('a4')).gesture)).toEqual({
      'A:b4': 'move',
      'A:c4': 'move',
      'A:e4': 'capture',
      'A:h5': 'travel',
    });
  });
});

describe('off the board', () => {
  it('a portal in hand is picked up already, and one tap places it', () => {
    const { legal } = fixture.duelStart;
    expect(initialGesture(legal)).toEqual({ stage: 'picked', from: { hand: 'white' }, mover: 'marker' });
    expect(taps(legal, sq('c4')).play?.uci).toBe('O@c4');
    expect(cancel(legal).gesture.stage).toBe('picked');
  });

  it('into the pocket, with the choice of what it becomes', () => {
    const step = taps(fixture.pocket.legal, sq('a1'), { pocket: 'white' });
    expect(options(step.gesture).map((o) => o.role)).toEqual(['R', 'I', 'D']);
    expect(shapes(fixture.pocket.legal, pick(fixture.pocket.legal, sq('g1')).gesture)).toMatchObject({
      'pocket:white': 'pocket',
      'A:h3': 'move',
    });
  });

  it('from the pocket to a square', () => {
    const { legal } = fixture.pocketDrop;
    expect(initialGesture(legal).stage).toBe('idle');
    expect(taps(legal, { pocket: 'white' }, sq('e4')).play?.uci).toBe('Z@e4');
  });
});

describe('between areas', () => {
  it('an intent is the piece and then the linked square', () => {
    expect(taps(fixture.twin.legal, sq('a4'), sq('a4', 'B')).play?.uci).toBe('a4a4');
  });

  it('the bound teleport is picked up already', () => {
    const { legal } = fixture.twinDeclared;
    expect(initialGesture(legal)).toMatchObject({ stage: 'picked', from: sq('a4') });
    expect(taps(legal, sq('a4', 'B')).play?.uci).toBe('0000');
  });

  it('a single ordinary move is not picked up by itself', () => {
    expect(initialGesture(fixture.blackHole.legal).stage).toBe('idle');
  });

  it('a pass has no gesture', () => {
    expect(initialGesture(fixture.mustPass.legal).stage).toBe('idle');
    expect(targets(fixture.mustPass.legal, { stage: 'idle' })).toEqual([]);
  });
});
