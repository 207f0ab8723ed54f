/** What local and remote games share: decisions in advance above all. */
import { describe, expect, it } from 'vitest';
import type { Color, LegalMove } from '../../src/lib/api/types';
import { Table } from '../../src/lib/game/table.svelte';
import { FakeRules } from '../fixtures/fake';
import { VARIANTS } from '../fixtures/variants';

/** A game whose other side is somewhere else: moves are sent, and come back or not. */
class RemoteGame extends Table {
  sent: string[] = [];
  away = false;

  get mine(): Color {
    return 'white';
  }

  override get held(): boolean {
    return this.away;
  }

  protected submit(move: LegalMove): void {
    this.sent.push(`${this.view.ply} ${move.uci}`);
    this.advance(move.uci);
  }

  receive(uci: string): void {
    if (!this.advance(uci)) throw new Error(uci);
    this.playPremove();
  }

  takeBack(plies: number): void {
    this.rewind(plies);
  }
}

function open(): RemoteGame {
  const info = VARIANTS.find((v) => v.id === 'chess');
  if (!info) throw new Error('no chess');
  return new RemoteGame(new FakeRules(), info, null);
}

function find(list: LegalMove[], uci: string): LegalMove {
  const move = list.find((m) => m.uci === uci);
  if (!move) throw new Error(uci);
  return move;
}

/** White has moved, Black is to move. */
function waiting(): RemoteGame {
  const game = open();
  game.play(find(game.legal, 'e2e4'));
  return game;
}

describe('a decision in advance', () => {
  it('is offered only while the other side is to move', () => {
    const game = open();
    expect(game.premovable).toEqual([]);
    game.play(find(game.legal, 'e2e4'));
    expect(game.legal).toEqual([]);
    expect(game.premovable.length).toBeGreaterThan(0);
    game.lookAt(0);
    expect(game.premovable).toEqual([]);
  });

  it('is sent once, for the position after the answer', () => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'd2d4'));
    expect(game.sent).toEqual(['0 e2e4']);
    game.receive('a2a3');
    expect(game.sent).toEqual(['0 e2e4', '2 d2d4']);
    expect(game.premove).toBeNull();
    game.receive('b2b3');
    expect(game.sent).toHaveLength(2);
  });

  it('is dropped when another thing stands where it starts', () => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'd2d4'));
    // The stand-in moves whatever stands there: the pawn of d2 is gone after this.
    game.receive('d2d3');
    expect(game.sent).toEqual(['0 e2e4']);
    expect(game.premoveLost).toBe(true);
    game.play(find(game.legal, 'a2a3'));
    expect(game.premoveLost).toBe(false);
  });

  it('is forgotten when moves are taken back', () => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'd2d4'));
    game.takeBack(0);
    expect(game.premove).toBeNull();
    game.play(find(game.legal, 'a2a3'));
    game.receive('b2b3');
    expect(game.sent).toEqual(['0 e2e4', '0 a2a3']);
  });

  it('can be replaced and taken back', () => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'd2d4'));
    game.setPremove(find(game.premovable, 'd2d3'));
    expect(game.premove?.uci).toBe('d2d3');
    game.setPremove(null);
    game.receive('a2a3');
    expect(game.sent).toHaveLength(1);
  });

  it('is not played while input is held, as when the connection is away', () => {
    const game = waiting();
    game.setPremove(find(game.premovable, 'd2d4'));
    game.away = true;
    game.receive('a2a3');
    expect(game.sent).toHaveLength(1);
    expect(game.legal).toEqual([]);
  });

  it('that was not offered is no decision', () => {
    const game = waiting();
    const [other] = open().legal;
    if (other) game.setPremove({ ...other });
    expect(game.premove).toBeNull();
  });
});
