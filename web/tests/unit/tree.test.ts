import { beforeAll, describe, expect, it } from 'vitest';
import type { WasmRules } from '../../src/lib/api/rules';
import { AnalysisSession } from '../../src/lib/study/analysis.svelte';
import { forWhite, scoreText, share } from '../../src/lib/study/analyst.svelte';
import * as trees from '../../src/lib/study/tree';
import { realRules } from './wasm';

const move = (uci: string, turn: 'white' | 'black' = 'white', fullmove = 1): trees.NewMove => ({ uci, san: uci, turn, fullmove });
const line = (tree: trees.Tree, at: number | null, ...moves: string[]) =>
  trees.addLine(
    tree,
    at,
    moves.map((m, i) => move(m, i % 2 === 0 ? 'white' : 'black', 1 + Math.floor(i / 2))),
  );
const read = (items: trees.Item[]): string =>
  items
    .map((i) => {
      if (i.type === 'move') return `${i.number ?? ''}${i.node.san}`;
      return i.type === 'comment' ? `{${i.text}}` : `(${read(i.items)})`;
    })
    .join(' ');

describe('a tree of variations', () => {
  const main = line(trees.emptyTree(), null, 'e4', 'e5', 'Nf3');

  it('keeps one branch for one move', () => {
    const again = line(main.tree, null, 'e4', 'c5');
    expect(again.tree.nodes.size).toBe(4);
    expect(read(trees.lines(again.tree))).toBe('1.e4 1…e5 (1…c5) 2.Nf3'.replace('1…e5', 'e5'));
  });

  it('promotes a variation, one place at a time', () => {
    let tree = line(main.tree, null, 'd4', 'd5').tree;
    tree = line(tree, null, 'c4').tree;
    const c4 = tree.roots[2] ?? 0;
    expect(trees.isVariation(tree, c4)).toBe(true);
    tree = trees.promote(tree, c4);
    expect(tree.roots.map((id) => tree.nodes.get(id)?.san)).toEqual(['e4', 'c4', 'd4']);
    tree = trees.promote(tree, c4);
    expect(trees.isVariation(tree, c4)).toBe(false);
    expect(trees.promote(tree, c4)).toBe(tree);
  });

  it('takes a move out with all that follows', () => {
    const [e4] = main.tree.roots;
    const e5 = main.tree.nodes.get(e4 ?? 0)?.children[0] ?? 0;
    const tree = trees.remove(main.tree, e5);
    expect([...tree.nodes.values()].map((n) => n.san)).toEqual(['e4']);
    expect(trees.remove(tree, 99)).toBe(tree);
  });

  it('has one sign of a kind on a move', () => {
    const [e4] = main.tree.roots;
    const id = e4 ?? 0;
    let tree = trees.toggleNag(main.tree, id, 1);
    tree = trees.toggleNag(tree, id, 16);
    tree = trees.toggleNag(tree, id, 2);
    expect(tree.nodes.get(id)?.nags).toEqual([2, 16]);
    tree = trees.toggleNag(tree, id, 2);
    expect(tree.nodes.get(id)?.nags).toEqual([16]);
  });

  it('goes into the list form and back', () => {
    let tree = line(main.tree, null, 'd4', 'd5').tree;
    tree = trees.comment(trees.comment(tree, null, ' all '), tree.roots[0] ?? 0, 'best');
    const again = trees.fromForm({ nodes: trees.toMoves(tree), comments: [...tree.comments] });
    expect(read(trees.lines(again))).toBe(read(trees.lines(tree)));
    expect(read(trees.lines(again))).toBe('{all} 1.e4 {best} (1.d4 d5) 1…e5 2.Nf3');
    expect(trees.isRich(tree)).toBe(true);
    expect(trees.isRich(main.tree)).toBe(false);
  });
});

describe('an analysis', () => {
  let rules: WasmRules;
  beforeAll(async () => {
    rules = await realRules();
  });
  const begin = (variant: string, moves: string[] = [], fen: string | null = null) => {
    const info = rules.variants().find((v) => v.id === variant);
    if (!info) throw new Error(variant);
    return new AnalysisSession(rules, { info, fen, moves });
  };
  const play = (session: AnalysisSession, uci: string) => {
    const found = session.view.legal.find((m) => m.uci === uci);
    if (!found) throw new Error(uci);
    session.play(found);
  };

  it('begins at the end of the moves it is given, and goes back and forth', () => {
    const session = begin('chess', ['e2e4', 'e7e5']);
    expect(session.view.ply).toBe(2);
    session.first();
    expect(session.view.ply).toBe(0);
    session.next();
    play(session, 'c7c5');
    session.sibling(-1);
    expect(session.node?.san).toBe('e5');
    session.sibling(1);
    expect(session.node?.san).toBe('c5');
    session.promote();
    session.first();
    session.last();
    expect(session.node?.san).toBe('c5');
    session.removeHere();
    expect(session.node?.san).toBe('e4');
  });

  it('every game goes out as PGN and comes back', () => {
    for (const info of rules.variants()) {
      const session = begin(info.id);
      for (let i = 0; i < 12; i++) {
        const moves = session.view.legal;
        const chosen = moves[(i * 7) % moves.length];
        if (!chosen) break;
        session.play(chosen);
        if (i % 4 === 1) {
          session.comment(`after ${chosen.uci}`);
          session.previous();
          const other = session.view.legal.find((m) => m.uci !== chosen.uci);
          if (other) session.play(other);
          session.toggleNag(5);
          session.sibling(-1);
        }
      }
      const text = session.pgn();
      const again = begin(info.id);
      again.load(rules.readPgn(text));
      expect(again.pgn(), info.id).toBe(text);
      expect(read(trees.lines(again.tree)), info.id).toBe(read(trees.lines(session.tree)));
    }
  });

  it('plays a line on, and what a text means', () => {
    const session = begin('chess');
    session.playLine(['e2e4', 'e7e5']);
    session.playText('Nf3');
    expect(session.ref.moves).toEqual(['e2e4', 'e7e5', 'g1f3']);
    expect(() => session.playText('Ke5')).toThrow();
    expect(() => session.playLine(['a1a8'])).toThrow();
    expect(session.ref.moves.length).toBe(3);
  });
});

describe('scores', () => {
  it('are for White, whoever is to move', () => {
    expect(scoreText(forWhite({ scoreCp: 35, mate: null }, 'black'))).toBe('−0.35');
    expect(scoreText(forWhite({ scoreCp: 0, mate: null }, 'black'))).toBe('0.00');
    expect(scoreText(forWhite({ scoreCp: null, mate: -2 }, 'white'))).toBe('#−2');
    expect(share({ cp: null, mate: 3 })).toBe(1);
    expect(share({ cp: 0, mate: null })).toBe(0.5);
  });
});
