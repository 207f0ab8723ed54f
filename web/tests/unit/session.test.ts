import { describe, expect, it } from 'vitest';
import {
  RulesError,
  SearchCancelled,
  type EngineApi,
  type LegalMove,
  type SearchResult,
} from '../../src/lib/api/types';
import { ComputerGame } from '../../src/lib/game/session.svelte';
import { tellMove, turnLine } from '../../src/lib/game/tell';
import { FakeRules } from '../fixtures/fake';
import * as fixture from '../fixtures/positions';
import { sq } from '../fixtures/positions';
import { CHESS, DUEL, PORTHOLE, SPLIT, TWIN } from '../fixtures/variants';

/** Answers when told to. */
class HeldEngine implements EngineApi {
  waiting: { resolve: (r: SearchResult) => void; reject: (e: Error) => void }[] = [];
  cancels = 0;

  search(): Promise<SearchResult> {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  cancel(): void {
    this.cancels++;
    for (const one of this.waiting.splice(0)) one.reject(new SearchCancelled());
  }

  async answer(uci: string): Promise<void> {
    this.waiting.shift()?.resolve({ uci, scoreCp: 0, mate: null, depth: 1, nodes: 1, pv: [uci] });
    await settle();
  }

  async fail(message: string): Promise<void> {
    this.waiting.shift()?.reject(new Error(message));
    await settle();
  }
}

const settle = () => new Promise((done) => setTimeout(done, 0));

function open(human: 'white' | 'black' = 'white') {
  const engine = new HeldEngine();
  const game = new ComputerGame(new FakeRules(), engine, { info: CHESS, fen: null, human, level: 1 });
  game.start();
  return { game, engine };
}

function legal(game: ComputerGame, uci: string): LegalMove {
  const found = game.legal.find((m) => m.uci === uci);
  if (!found) throw new Error(`${uci} is not offered`);
  return found;
}

describe('a game against the computer', () => {
  it('lets the person move, then the computer', async () => {
    const { game, engine } = open();
    game.play(legal(game, 'e2e4'));
    expect(game.thinking).toBe(true);
    expect(game.legal).toEqual([]);
    await engine.answer('d2d4');
    expect(game.moves).toEqual(['e2e4', 'd2d4']);
    expect(game.thinking).toBe(false);
    expect(game.legal.length).toBeGreaterThan(0);
  });

  it('lets the computer begin when the person has Black', async () => {
    const { game, engine } = open('black');
    expect(game.thinking).toBe(true);
    await engine.answer('e2e4');
    expect(game.moves).toEqual(['e2e4']);
    expect(game.canUndo).toBe(false);
  });

  it('takes back to the last turn of the person', async () => {
    const { game, engine } = open();
    game.play(legal(game, 'e2e4'));
    await engine.answer('d2d4');
    game.undo();
    expect(game.moves).toEqual([]);
    expect(game.view.turn).toBe('white');
  });

  it('taking back while the computer thinks stops it, and its answer counts no more', async () => {
    const { game, engine } = open();
    game.play(legal(game, 'e2e4'));
    game.undo();
    await settle();
    expect(engine.cancels).toBe(1);
    expect(game.moves).toEqual([]);
    expect(game.thinking).toBe(false);
    expect(game.engineError).toBeNull();
    game.play(legal(game, 'a2a3'));
    await settle();
    await engine.answer('b2b3');
    expect(game.moves).toEqual(['a2a3', 'b2b3']);
  });

  it('says that the engine died, and lets it try again', async () => {
    const { game, engine } = open();
    game.play(legal(game, 'e2e4'));
    await engine.fail('out of memory');
    expect(game.engineError).toBe('out of memory');
    expect(game.moves).toEqual(['e2e4']);
    game.retryEngine();
    await engine.answer('d2d4');
    expect(game.engineError).toBeNull();
    expect(game.moves).toHaveLength(2);
  });

  it('a move that is not legal is an error of the engine, not a move', async () => {
    const { game, engine } = open();
    game.play(legal(game, 'e2e4'));
    await engine.answer('e9e9');
    expect(game.moves).toEqual(['e2e4']);
    expect(game.engineError).toContain('e9e9');
  });

  it('looking back offers no move, and playing on needs the newest position', async () => {
    const { game, engine } = open();
    game.play(legal(game, 'e2e4'));
    await engine.answer('d2d4');
    const [move] = game.legal;
    game.lookAt(1);
    expect(game.shown.ply).toBe(1);
    expect(game.legal).toEqual([]);
    if (move) game.play(move);
    expect(game.moves).toHaveLength(2);
    game.lookAt(2);
    expect(game.cursor).toBeNull();
  });

  it('the answer of the computer does not take the eye from an earlier position', async () => {
    const { game, engine } = open();
    game.play(legal(game, 'e2e4'));
    game.lookAt(0);
    await engine.answer('d2d4');
    expect(game.cursor).toBe(0);
    expect(game.moves).toHaveLength(2);
  });

  it('switching sides stops the computer and lets it think for the other side', async () => {
    const { game, engine } = open();
    game.switchSides();
    expect(game.mine).toBe('black');
    expect(game.thinking).toBe(true);
    await engine.answer('e2e4');
    expect(game.moves).toEqual(['e2e4']);
    game.switchSides();
    await settle();
    expect(game.legal).toEqual([]);
    await engine.answer('d2d4');
    expect(game.moves).toEqual(['e2e4', 'd2d4']);
  });

  it('advice names a move of this position and plays none', async () => {
    const { game, engine } = open();
    void game.advise();
    expect(game.advising).toBe(true);
    await engine.answer('e2e4');
    expect(game.advice?.uci).toBe('e2e4');
    expect(game.moves).toEqual([]);
    game.play(legal(game, 'd2d4'));
    expect(game.advice).toBeNull();
  });

  it('a move made while advice is being sought stops the seeking', async () => {
    const { game, engine } = open();
    void game.advise();
    game.play(legal(game, 'd2d4'));
    await settle();
    expect(game.advising).toBe(false);
    expect(game.engineError).toBeNull();
    await engine.answer('a2a3');
    expect(game.moves).toEqual(['d2d4', 'a2a3']);
  });

  it('a move decided in advance is played after the answer of the computer, which then thinks again', async () => {
    const { game, engine } = open();
    game.play(legal(game, 'e2e4'));
    game.setPremove(game.premovable.find((m) => m.uci === 'd2d4') ?? null);
    await engine.answer('a2a3');
    expect(game.moves).toEqual(['e2e4', 'a2a3', 'd2d4']);
    expect(game.thinking).toBe(true);
    await engine.answer('b2b3');
    expect(game.moves).toHaveLength(4);
  });

  it('resigning ends the game for the other side', () => {
    const { game } = open();
    game.resign();
    expect(game.outcome).toEqual({ winner: 'black', reason: 'resignation' });
    expect(game.legal).toEqual([]);
  });

  it('a refused position names its field', () => {
    const make = () =>
      new ComputerGame(new FakeRules(), new HeldEngine(), { info: CHESS, fen: 'x', human: 'white', level: 1 });
    expect(make).toThrow(RulesError);
    try {
      make();
    } catch (error) {
      expect((error as RulesError).field).toBe('fen');
    }
  });
});

describe('moves in words', () => {
  const told = (info: typeof CHESS, before: typeof fixture.chessStart, uci: string) => {
    const move = before.legal.find((m) => m.uci === uci);
    if (!move) throw new Error(uci);
    return tellMove(info, { move, before });
  };

  it('name the portals', () => {
    expect(told(PORTHOLE, fixture.porthole, 'f3d4c4')).toBe(
      'White: Knight f3 enters the portal d4 and comes out on c4.',
    );
    expect(told(DUEL, fixture.duel, 'a4h5')).toBe('White: Rook a4 goes through the portal d5 to h5.');
    expect(told(DUEL, fixture.duel, 'Oa4b5')).toBe('The portal of White moves from a4 to b5.');
  });

  it('tell what a portal does to what it comes upon', () => {
    const shift = (to: string) => fixture.move('O', { kind: 'shift', mover: 'marker', from: sq('a4'), to: sq(to) });
    expect(tellMove(DUEL, { move: shift('d5'), before: fixture.duel })).toBe(
      'The portal of White moves from a4 to d5. The portals meet on d5: a black hole.',
    );
    expect(tellMove(DUEL, { move: shift('b2'), before: fixture.duel })).toBe(
      'The portal of White moves from a4 to b2. Pawn b2 is sent to d5.',
    );
  });

  it('name the board where there are two', () => {
    expect(told(TWIN, fixture.twin, 'a4a4')).toBe('White: Queen a4 (A) will teleport to a4 (B).');
    expect(turnLine(TWIN, fixture.twin)).toBe('White to move on board A.');
    expect(turnLine(SPLIT, fixture.split)).toBe('White to move on squares a–d.');
  });
});
