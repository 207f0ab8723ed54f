import { describe, expect, it } from 'vitest';
import type { Effect, GameView } from '../../src/lib/api/types';
import { keyframes } from '../../src/lib/board/motion';
import { isSquare } from '../../src/lib/board/place';
import { advance, emptyScene, still, touched, type Scene } from '../../src/lib/board/scene';
import * as fixture from '../fixtures/positions';
import { marker, piece, sq } from '../fixtures/positions';

const sceneOf = (view: GameView): Scene => still(emptyScene(), view.pieces, view.markers).scene;
const idAt = (scene: Scene, square: string) =>
  scene.actors.find((a) => isSquare(a.at) && a.at.square === square)?.id;

describe('replaying effects', () => {
  it('keeps the identity of what moves, and ends in the view', () => {
    const before = sceneOf(fixture.porthole);
    const knight = idAt(before, 'f3');
    const taken = idAt(before, 'd4');
    const { effects, after } = fixture.portholeAfter;
    const move = fixture.porthole.legal.find((m) => m.uci === 'f3d4b4') ?? null;
    const frame = advance(before, effects, move, after.pieces, after.markers);

    expect(idAt(frame.scene, 'b4')).toBe(knight);
    expect(frame.leaving.map((l) => l.actor.id)).toEqual([taken]);
    expect(frame.scene.actors).toHaveLength(after.pieces.length);
    // In here, out there: first to the portal entered, then the jump.
    expect(knight !== undefined && frame.journeys.get(knight)).toEqual([
      { from: sq('f3'), to: sq('d4'), jump: false },
      { from: sq('d4'), to: sq('b4'), jump: true },
    ]);
  });

  it('moves one token of a stack and leaves the others', () => {
    const before = still(emptyScene(), [], [marker(sq('c4'), { count: 3 })]).scene;
    const effects: Effect[] = [
      { type: 'markerMove', marker: { kind: 'portal', owner: null }, from: sq('c4'), to: sq('e5') },
    ];
    const frame = advance(before, effects, null, [], [marker(sq('c4'), { count: 2 }), marker(sq('e5'))]);
    expect(frame.scene.tokens.map((k) => k.at)).toContainEqual(sq('e5'));
    expect(new Set(frame.scene.tokens.map((k) => k.id))).toEqual(new Set(before.tokens.map((k) => k.id)));
    expect(frame.journeys.size).toBe(1);
  });

  it('an exchange of two like pieces exchanges their identities', () => {
    const rooks = [
      { piece: piece('R'), at: sq('a1') },
      { piece: piece('R'), at: sq('h1') },
    ];
    const before = still(emptyScene(), rooks, []).scene;
    const [a, h] = [idAt(before, 'a1'), idAt(before, 'h1')];
    const effects: Effect[] = [
      { type: 'move', piece: piece('R'), from: sq('a1'), to: sq('h1') },
      { type: 'move', piece: piece('R'), from: sq('h1'), to: sq('a1') },
    ];
    const frame = advance(before, effects, null, rooks, []);
    expect([idAt(frame.scene, 'a1'), idAt(frame.scene, 'h1')]).toEqual([h, a]);
  });

  it('a promotion is a journey of the pawn and an arrival', () => {
    const before = still(emptyScene(), [{ piece: piece('P'), at: sq('b7') }], []).scene;
    const effects: Effect[] = [
      { type: 'move', piece: piece('P'), from: sq('b7'), to: sq('b8') },
      { type: 'remove', piece: piece('P'), at: sq('b8') },
      { type: 'add', piece: piece('Q'), at: sq('b8') },
    ];
    const frame = advance(before, effects, null, [{ piece: piece('Q'), at: sq('b8') }], []);
    expect(frame.scene.actors.map((a) => a.piece.role)).toEqual(['Q']);
    expect(frame.arriving.size).toBe(1);
  });

  it('what goes into the pocket leaves its square', () => {
    const before = still(emptyScene(), [{ piece: piece('R'), at: sq('h1') }], []).scene;
    const effects: Effect[] = [
      { type: 'move', piece: piece('R'), from: sq('h1'), to: { pocket: 'white' } },
      { type: 'remove', piece: piece('R'), at: { pocket: 'white' } },
      { type: 'add', piece: piece('I'), at: { pocket: 'white' } },
    ];
    const frame = advance(before, effects, null, [{ piece: piece('I'), at: { pocket: 'white' } }], []);
    expect(frame.leaving.map((l) => l.actor.at)).toEqual([sq('h1')]);
    expect(frame.scene.actors.map((a) => a.at)).toEqual([{ pocket: 'white' }]);
  });

  it('a black hole draws what it takes into itself', () => {
    const before = still(emptyScene(), [{ piece: piece('n'), at: sq('e5') }], []).scene;
    const effects: Effect[] = [
      { type: 'remove', piece: piece('n'), at: sq('e5') },
      { type: 'markerAdd', marker: { kind: 'locked', owner: null }, at: sq('d5') },
    ];
    const frame = advance(before, effects, null, [], [marker(sq('d5'), { kind: 'locked' })]);
    expect(frame.leaving[0]?.into).toEqual(sq('d5'));
  });

  it('travel goes in at one portal and on from the other', () => {
    const before = sceneOf(fixture.duel);
    const rook = idAt(before, 'a4');
    const move = fixture.duel.legal.find((m) => m.uci === 'a4h5') ?? null;
    const effects: Effect[] = [{ type: 'move', piece: piece('R'), from: sq('a4'), to: sq('h5') }];
    const pieces = fixture.duel.pieces.map((p) => (isSquare(p.at) && p.at.square === 'a4' ? { ...p, at: sq('h5') } : p));
    const frame = advance(before, effects, move, pieces, fixture.duel.markers);
    expect(rook !== undefined && frame.journeys.get(rook)).toEqual([
      { from: sq('a4'), to: sq('d5'), jump: false },
      { from: sq('d5'), to: sq('a4'), jump: true },
      { from: sq('a4'), to: sq('h5'), jump: false },
    ]);
  });

  it('believes the view when effects say something else', () => {
    const frame = advance(emptyScene(), [], null, [{ piece: piece('K'), at: sq('e1') }], []);
    expect(frame.scene.actors).toEqual([{ id: 1, piece: piece('K'), at: sq('e1') }]);
  });

  it('marks the squares of the last move', () => {
    expect([...touched(fixture.portholeAfter.effects)].sort()).toEqual(['A:b4', 'A:d4', 'A:f3']);
  });
});

describe('keyframes', () => {
  const locate = (place: Parameters<typeof isSquare>[0]) =>
    isSquare(place) && place.area === 'A'
      ? { x: place.square.charCodeAt(0) - 97, y: 8 - Number(place.square.charAt(1)) }
      : null;

  it('end where the piece stands', () => {
    const frames = keyframes([{ from: sq('e2'), to: sq('e4'), jump: false }], locate);
    expect(frames.map((f) => f.transform)).toEqual(['translate(0%, 200%) scale(1)', 'translate(0%, 0%) scale(1)']);
  });

  it('spend no time on the leap itself', () => {
    const frames = keyframes(
      [
        { from: sq('f3'), to: sq('d4'), jump: false },
        { from: sq('d4'), to: sq('b4'), jump: true },
      ],
      locate,
    );
    expect(frames.map((f) => [f.opacity, f.offset])).toEqual([
      [1, 0],
      [1, 1 / 3],
      [0, 2 / 3],
      [0, 2 / 3],
      [1, 1],
    ]);
  });

  it('only come out of the portal when the piece comes from another board', () => {
    const frames = keyframes([{ from: sq('a4', 'B'), to: sq('a4'), jump: true }], locate);
    expect(frames.map((f) => f.opacity)).toEqual([0, 1]);
  });

  it('are none for a piece that is elsewhere', () => {
    expect(keyframes([{ from: sq('a4'), to: sq('a4', 'B'), jump: true }], locate)).toEqual([]);
  });
});
