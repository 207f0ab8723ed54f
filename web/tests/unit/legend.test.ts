/** The pieces of all games, each once. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { RulesApi } from '../../src/lib/api/types';
import { targets, pick } from '../../src/lib/board/gestures';
import { isSquare } from '../../src/lib/board/place';
import showcases from '../../src/lib/home/showcase.json';
import { showcase } from '../../src/lib/home/showcase';
import { legend, pawns } from '../../src/lib/pieces/legend';
import { gameOf } from '../../src/lib/study/elsewhere';
import { realRules } from './wasm';

let rules: RulesApi;
beforeAll(async () => {
  rules = await realRules();
});

describe('the legend', () => {
  it('has every piece of every game once', () => {
    const games = rules.variants();
    const entries = legend(games);
    for (const game of games) {
      for (const role of game.roles) {
        expect(entries.filter((e) => e.role.letter === role.letter).map((e) => e.games.includes(game))).toEqual([true]);
      }
    }
  });

  it('tells the class where a game has such, and what differs in worth', () => {
    const of = (letter: string) => legend(rules.variants()).find((e) => e.role.letter === letter);
    expect([of('P')?.class, of('N')?.class, of('Q')?.class, of('Z')?.class, of('K')?.class]).toEqual([1, 2, 5, 8, null]);
    const chess = legend(rules.variants().filter((v) => v.id === 'chess'));
    expect(chess.map((e) => e.class)).toEqual([null, null, null, null, null, null]);
    expect(pawns([320, 320], 'en')).toBe('3.2');
    expect(pawns([270, 350], 'es')).toBe('2,7–3,5');
  });
});

describe('positions that show what is special', () => {
  it('each game has one that its rules know, and what is in hand there can go somewhere', () => {
    for (const info of rules.variants()) {
      const told = (showcases as Record<string, { fen: string | null; moves: string[]; from?: unknown }>)[info.id];
      expect(told, info.id).toBeDefined();
      const { view, from } = showcase(rules, info);
      expect(view.ply, info.id).toBe(told?.moves.length);
      expect(told?.fen === null || view.fen !== info.startFen, info.id).toBe(true);
      if (from) expect(targets(view.legal, pick(view.legal, from).gesture).length, info.id).toBeGreaterThan(2);
    }
  });

  it('an exchange is seen by its arrows, a pocket by what is in it, portals by the marks of their entry', () => {
    const marks = (id: string) => {
      const info = rules.variants().find((v) => v.id === id);
      if (!info) throw new Error(id);
      const { view, from } = showcase(rules, info);
      return { view, shapes: from ? targets(view.legal, pick(view.legal, from).gesture).map((g) => g.shape) : [] };
    };
    expect(marks('teleport').shapes).toContain('swap');
    expect(marks('porthole').shapes).toContain('enter');
    expect(marks('portalduel').shapes).toContain('travel');
    expect(marks('pocketmutation').view.pieces.filter((p) => !isSquare(p.at))).toHaveLength(2);
    for (const id of ['twinportal', 'splitportal']) expect(marks(id).view.markers.some((m) => m.kind === 'declared'), id).toBe(true);
  });
});

describe('a position of another game', () => {
  it('is known by the game that can read it', () => {
    const two = rules.variants().find((v) => v.id === 'twinportal');
    expect(gameOf(rules, two?.startFen ?? '')?.id).toBe('twinportal');
    expect(gameOf(rules, 'no/such/position')).toBeNull();
  });
});
