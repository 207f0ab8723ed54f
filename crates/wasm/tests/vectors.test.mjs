// Every line of vectors/ that is not for the deep counts, through the interface that the page uses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, vectors } from './rules.mjs';

const { ok } = await load();

/** The status word of vectors/README.md for what a view says of the end. */
function status({ outcome }) {
  if (!outcome) return 'ongoing';
  const word = { kingDestroyed: 'king-destroyed', fiftyMoves: 'draw-50' }[outcome.reason] ?? outcome.reason;
  return outcome.winner ? `${word} ${outcome.winner}-wins` : word;
}

for (const { id: variant } of ok({ op: 'variants' })) {
  test(`${variant}: moves and status of positions`, () => {
    for (const [fen, word, moves] of vectors(variant, 'moves')) {
      const view = ok({ op: 'view', variant, fen });
      assert.equal(view.fen, fen);
      assert.equal(status(view), word, fen);
      assert.equal(view.legal.map(({ uci }) => uci).sort().join(' '), moves ?? '', fen);
    }
  });

  test(`${variant}: games`, () => {
    let moves = [];
    let fens = [];
    for (const [, uci, fen] of vectors(variant, 'games')) {
      if (uci !== 'status') {
        moves.push(uci);
        fens.push(fen);
        continue;
      }
      const view = ok({ op: 'view', variant, moves });
      assert.deepEqual(view.history.map((played) => played.fen), fens);
      assert.equal(status(view), fen);
      moves = [];
      fens = [];
    }
  });

  test(`${variant}: counts`, () => {
    for (const [fen, depth, nodes] of vectors(variant, 'perft')) {
      assert.equal(ok({ op: 'perft', variant, fen, depth: Number(depth) }), Number(nodes), `${fen} depth ${depth}`);
    }
  });
}
