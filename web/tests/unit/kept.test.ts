/** What pages keep with their entry in the history: all of what was done, and nothing of another game. */
import { describe, expect, it } from 'vitest';
import { SearchCancelled, type EngineApi } from '../../src/lib/api/types';
import { readGame, writeGame, type KeptGame } from '../../src/lib/game/kept';
import { ComputerGame } from '../../src/lib/game/session.svelte';
import { AnalysisSession } from '../../src/lib/study/analysis.svelte';
import { readAnalysis, writeAnalysis } from '../../src/lib/study/kept';
import { realRules } from './wasm';

const rules = await realRules();
const info = rules.variants()[0];
if (!info) throw new Error('no games');
const variant = info.id;

const engine: EngineApi = { search: () => Promise.reject(new SearchCancelled()), cancel: () => undefined };
/** As the browser keeps it: a copy. */
const stored = (value: unknown): unknown => structuredClone(value);

describe('a game against the computer', () => {
  const kept: KeptGame = { variant, fen: null, moves: ['e2e4', 'e7e5'], human: 'black', level: 5, decided: null, flipped: true };

  it('is read as it was written, and goes on', () => {
    const again = readGame(stored(writeGame(kept)), variant, null);
    expect(again).toEqual(kept);
    const game = new ComputerGame(rules, engine, { info, ...kept });
    expect([game.moves, game.human, game.level, game.view.ply]).toEqual([kept.moves, 'black', 5, 2]);
  });

  it('that was given up stays given up', () => {
    const decided = { winner: 'white', reason: 'resignation' } as const;
    const again = readGame(stored({ ...kept, decided }), variant, null);
    expect(again?.decided).toEqual(decided);
    const game = new ComputerGame(rules, engine, { info, ...kept, decided });
    expect(game.outcome).toEqual(decided);
    expect(game.legal).toEqual([]);
  });

  it('is not that of another game or another position', () => {
    expect(readGame(stored(kept), 'other', null)).toBeNull();
    expect(readGame(stored(kept), variant, '4k3/8/8/8/8/8/8/4K3 w - - 0 1')).toBeNull();
    expect(readGame(stored({ ...kept, fen: 'x' }), variant, null)).toBeNull();
  });

  it('is none where the form is another, and does not grow without end', () => {
    for (const wrong of [null, 7, [], {}, { ...kept, moves: 'e2e4' }, { ...kept, moves: [1] }, { ...kept, level: 99 }, { ...kept, human: 'red' }]) {
      expect(readGame(stored(wrong), variant, null)).toBeNull();
    }
    expect(readGame(stored({ ...kept, decided: { winner: 'white', reason: 'checkmate' } }), variant, null)?.decided).toBeNull();
    const long = { ...kept, moves: new Array<string>(5000).fill('e2e4') };
    expect(writeGame(long)).toBeNull();
    expect(readGame(stored(long), variant, null)).toBeNull();
  });
});

describe('an analysis', () => {
  function made(): AnalysisSession {
    const session = new AnalysisSession(rules, { info: info as NonNullable<typeof info>, fen: null, moves: ['e2e4', 'e7e5'] });
    session.previous();
    session.playText('c5');
    session.comment('sharper');
    session.toggleNag(1);
    session.playText('Nf3');
    session.previous();
    return session;
  }

  it('is read as it was written: variations, comments, signs, and where one was', () => {
    const session = made();
    const again = readAnalysis(stored(writeAnalysis(session.keep('black'))), variant);
    if (!again) throw new Error('nothing was kept');
    const other = new AnalysisSession(rules, { info: info as NonNullable<typeof info>, fen: again.fen, moves: [] });
    other.restore(again);
    expect(other.pgn()).toBe(session.pgn());
    expect(other.view.fen).toBe(session.view.fen);
    expect(other.ref).toEqual(session.ref);
    expect([other.node?.comments, other.node?.nags]).toEqual([['sharper'], [1]]);
    expect(again.bottom).toBe('black');
    other.next();
    expect(other.node?.san).toBe('Nf3');
  });

  it('is none of another game, in another form, or without end', () => {
    const kept = made().keep('white');
    expect(readAnalysis(stored(kept), variant)).not.toBeNull();
    expect(readAnalysis(stored(kept), 'other')).toBeNull();
    const [first] = kept.nodes;
    for (const wrong of [null, { ...kept, nodes: [{ ...first, parent: 3 }] }, { ...kept, at: 99 }, { ...kept, nodes: [{}] }, { ...kept, tags: { a: 1 } }]) {
      expect(readAnalysis(stored(wrong), variant)).toBeNull();
    }
    expect(writeAnalysis({ ...kept, comments: ['x'.repeat(500_000)] })).toBeNull();
    expect(writeAnalysis({ ...kept, nodes: new Array(5000).fill(first) as typeof kept.nodes })).toBeNull();
  });
});
