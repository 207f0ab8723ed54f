// Prints tables in Markdown of the measurements that scripts/balance.sh keeps.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const reports = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
// The yardstick first, the others as the program lists them is not known here: by name.
reports.sort((a, b) => (b.variant === 'chess') - (a.variant === 'chess') || a.variant.localeCompare(b.variant));

const percent = (x, digits = 0) => (100 * x).toFixed(digits);
const share = (s, digits = 0) => (s ? `${percent(s.value, digits)} ± ${percent(s.error, digits)}` : '–');
const table = (head, rows) => {
  console.log(`| ${head.join(' | ')} |`);
  console.log(`|${head.map(() => ' --- |').join('')}`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
  console.log();
};

table(
  ['game', 'games', 'White scores, %', 'Elo', 'White : drawn : Black', 'drawn, %', 'plies: median (quartiles)', 'legal moves'],
  reports.map((r) => [
    `\`${r.variant}\``,
    r.games,
    share(r.white.score, 1),
    r.white.elo === null ? '∞' : (r.white.elo > 0 ? '+' : '') + r.white.elo.toFixed(0),
    `${r.white.wins} : ${r.white.draws} : ${r.white.losses}`,
    percent(r.white.draws / r.games),
    `${r.plies.median} (${r.plies.lowerQuartile.toFixed(0)}–${r.plies.upperQuartile.toFixed(0)})`,
    r.choices.turns.mean.toFixed(1),
  ]),
);
table(
  ['game', 'special turns, %', 'in the last three, % (by chance)', 'the turn that won, % (by chance)', 'lead changes a game', 'comebacks, %', 'shortest win, plies'],
  reports.map((r) => [
    `\`${r.variant}\``,
    share(r.decides.turns, 1),
    r.uses.some((u) => u.special) ? `${share(r.decides.finish)} (${percent(r.decides.finishChance)})` : '–',
    r.uses.some((u) => u.special) ? `${share(r.decides.blow)} (${percent(r.decides.blowChance)})` : '–',
    r.leads.changes.toFixed(2),
    share(r.leads.comebacks),
    r.shortest[0]?.plies ?? '–',
  ]),
);
table(
  ['game', 'move', 'of turns, %', 'a game', 'in games, %', 'first at move', 'captures', 'checks'],
  reports.flatMap((r) =>
    r.uses
      .filter((u) => u.special)
      .map((u) => [
        u.part ? '' : `\`${r.variant}\``,
        u.label,
        percent(u.share, 1),
        u.perGame.toFixed(2),
        percent(u.games.value),
        u.first === null ? '–' : u.first.toFixed(0),
        u.captures,
        u.checks,
      ]),
  ),
);
table(
  ['game', 'endings (White : drawn : Black)'],
  reports.map((r) => [
    `\`${r.variant}\``,
    r.endings.map((e) => `${e.reason} ${e.white + e.black === 0 ? e.drawn : e.drawn === 0 ? `${e.white} : ${e.black}` : `${e.white} : ${e.drawn} : ${e.black}`}`).join(', '),
  ]),
);
