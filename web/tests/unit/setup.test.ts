import { beforeAll, describe, expect, it } from 'vitest';
import type { WasmRules } from '../../src/lib/api/rules';
import type { Setup } from '../../src/lib/api/study';
import { move, parseIntent, toggleRight, use, writeIntent } from '../../src/lib/study/setup';
import { realRules } from './wasm';

const at = (square: string) => ({ area: 'A' as const, square });
const on = (setup: Setup, square: string) =>
  setup.pieces.find((p) => 'square' in p.at && p.at.square === square)?.piece ?? null;

let rules: WasmRules;
let chess: Setup;
beforeAll(async () => {
  rules = await realRules();
  chess = rules.readSetup('chess', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1').setup;
});

describe('a set-up', () => {
  it('takes pieces, and the same once more takes it away', () => {
    const queen = { type: 'piece', color: 'white', role: 'Q' } as const;
    const one = use(chess, queen, at('e4'));
    expect(on(one, 'e4')).toEqual({ color: 'white', role: 'Q' });
    expect(on(use(one, queen, at('e4')), 'e4')).toBeNull();
    expect(on(use(chess, queen, at('e2')), 'e2')).toEqual({ color: 'white', role: 'Q' });
  });

  it('moves what lies on a square, over what is there, or off the board', () => {
    expect(on(move(chess, at('e2'), at('e7')), 'e7')).toEqual({ color: 'white', role: 'P' });
    expect(move(chess, at('e2'), null).pieces.length).toBe(31);
    expect(move(chess, at('e2'), at('e2'))).toBe(chess);
  });

  it('has as many neutral portals as are put, and one of each owner', () => {
    const neutral = { type: 'portal', owner: null } as const;
    let setup = use(use(chess, neutral, at('e4')), neutral, at('e4'));
    expect(setup.portals).toEqual([{ owner: null, at: at('e4'), count: 2 }]);
    setup = use(setup, { type: 'erase' }, at('e4'));
    expect(setup.portals).toEqual([{ owner: null, at: at('e4'), count: 1 }]);
    const mine = { type: 'portal', owner: 'white' } as const;
    setup = use(use(chess, mine, at('a4')), mine, at('b4'));
    expect(setup.portals).toEqual([{ owner: 'white', at: at('b4'), count: 1 }]);
  });

  it('puts into a pocket what is its owner’s', () => {
    const black = use(chess, { type: 'piece', color: 'white', role: 'N' }, { pocket: 'black' });
    expect(black.pieces.at(-1)).toEqual({ piece: { color: 'black', role: 'N' }, at: { pocket: 'black' } });
  });

  it('writes rights in their order', () => {
    expect(toggleRight('Kq', 'Q', 'KQkq')).toBe('KQq');
    expect(toggleRight('K', 'K', 'KQkq')).toBe('-');
  });

  it('writes declared teleports as the FEN does', () => {
    for (const text of ['a4', 'h5x', 'a4:q']) expect(writeIntent(parseIntent(text))).toBe(text);
    expect(writeIntent(parseIntent('-'))).toBe('-');
  });
});

describe('every game', () => {
  it('has its usual start taken to pieces and put together again', () => {
    for (const info of rules.variants()) {
      const { setup, fen, problem } = rules.readSetup(info.id, info.startFen);
      expect(problem).toBeNull();
      expect(fen).toBe(info.startFen);
      expect(rules.writeSetup(info.id, setup)).toEqual({ setup, fen: info.startFen, problem: null });
    }
  });

  it('says which field is wrong when everything is cleared', () => {
    for (const info of rules.variants()) {
      const { setup } = rules.readSetup(info.id, info.startFen);
      const { problem } = rules.writeSetup(info.id, { ...setup, pieces: [], castling: ['-', '-'] });
      expect(problem?.part, info.id).toBe('placement');
    }
  });
});
