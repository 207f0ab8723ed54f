// Makes docs/levels.md of the results that scripts/levels.sh keeps.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const results = new Map();
const games = [];
for (const file of readdirSync(folder).sort()) {
  const match = /^(.+)\.(\d)\.json$/.exec(file);
  if (!match) continue;
  const [, game, lower] = match;
  if (!games.includes(game)) games.push(game);
  results.set(`${game} ${lower}`, JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

// Half the width of the 95 % interval of the score, from that of the Elo difference where it has two ends.
const score = (elo) => 1 / (1 + 10 ** (-elo / 400));
const cell = (result) => {
  if (!result?.estimate) return '';
  const { score: points, eloLow } = result.estimate;
  const least = score(eloLow ?? -Infinity);
  return `${(100 * points).toFixed(0)} (${(100 * least).toFixed(0)})`;
};
const counts = ({ counts: { wins, draws, losses } }) => wins + draws + losses;

const order = ['chess', ...games.filter((game) => game !== 'chess')];
const lowers = [1, 2, 3, 4, 5, 6, 7];
const lines = [
  '# The levels against each other',
  '',
  'What level n + 1 scores against level n, in per cent, and in brackets what it scores at the least with 97.5 %. Written by',
  '`make levels`; how the levels are made is told in [engine.md](engine.md#levels).',
  '',
  `| | ${lowers.map((n) => `${n + 1} : ${n}`).join(' | ')} |`,
  `| --- |${lowers.map(() => ' --- |').join('')}`,
  ...order.map((game) => `| ${game} | ${lowers.map((n) => cell(results.get(`${game} ${n}`))).join(' | ')} |`),
  '',
  `Games a match: ${lowers
    .map((n) => {
      const played = [...new Set(order.map((game) => results.get(`${game} ${n}`)).filter(Boolean).map(counts))].sort((a, b) => a - b);
      return `${n + 1} : ${n} ${played.length ? played.join('/') : 'none'}`;
    })
    .join(', ')}. Openings are six random plies that look level, each played with both colors.`,
  '',
];
console.log(lines.join('\n').trimEnd());
