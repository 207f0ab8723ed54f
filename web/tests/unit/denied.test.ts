/// <reference types="node" />
/** Whatever the server and the rules can refuse has a text in every language of the page. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ServerError } from '../../src/lib/api/server';
import { en } from '../../src/lib/i18n/en';
import { es } from '../../src/lib/i18n/es';
import { ru } from '../../src/lib/i18n/ru';
import { ActionRefused } from '../../src/lib/net/connection';
import { errorText } from '../../src/lib/online/words';

const CRATES = new URL('../../../crates/', import.meta.url);

/** The program's own text, without its tests. */
function sources(crate: string): { file: string; text: string }[] {
  const folder = new URL(`${crate}/src/`, CRATES);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.rs'))
    .map((file) => ({ file: `${crate}/${file}`, text: readFileSync(new URL(file, folder), 'utf8').split(/#\[cfg\(test\)\]\s*mod \w+ \{/)[0] ?? '' }));
}

function all(crate: string, pattern: RegExp): { code: string; file: string }[] {
  return sources(crate).flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].flatMap(([, ...codes]) => codes.filter((c) => c !== undefined).map((code) => ({ code, file }))),
  );
}

/** `code: "…"`, the constructors that take one, a refusal's `code()`, pairs of code and sentence, and those with a status before them. */
const SERVER = [
  /\bcode: "([a-z-]+)"/g,
  /StatusCode::[A-Z_]+,\s*"([a-z-]+)"/g,
  /Error::conflict\(\s*"([a-z-]+)"/g,
  /Self::[A-Z]\w*(?:\(\.*_?\)|\(\.\.\)|\s*\{ \.\. \})? => "([a-z-]+)",/g,
  /\(\s*"([a-z]+-[a-z-]+)", "[a-z][^"]* [^"]*"/g,
  /"code":"([a-z-]+)"/g,
  /b"4\d\d" => \(\s*"[^"]+",\s*"([a-z-]+)"/g,
];

describe('every code of the server', () => {
  const refusals = new Set(['games/action.rs']);
  const found = SERVER.flatMap((pattern, i) =>
    // Words that stand for values of other kinds are written alike; refusals of actions are in one file.
    all('server', pattern).filter(({ file }) => i !== 3 || [...refusals].some((name) => file.endsWith(name))),
  );

  it('is found in its sources', () => {
    const codes = new Set(found.map((f) => f.code));
    for (const known of ['bad-request', 'name-taken', 'wrong-login', 'bad-password', 'stale', 'no-offer', 'too-many-connections', 'too-large', 'busy']) {
      expect([...codes], known).toContain(known);
    }
  });

  for (const [lang, table] of Object.entries({ en, es, ru })) {
    it(`has a text in ${lang}`, () => {
      const missing = found.filter(({ code }) => !Object.hasOwn(table, `denied.${code}`));
      expect(missing).toEqual([]);
    });
  }

  it('is told by that text and not by the server’s sentence', () => {
    expect(errorText(new ServerError('raw', 'name-taken', 409))).toBe(en['denied.name-taken']);
    expect(errorText(new ActionRefused('no-claim', 'raw'))).toBe(en['denied.no-claim']);
    expect(errorText(new ServerError('raw', 'never-heard-of', 400))).not.toContain('raw');
  });
});

describe('every code of the rules and of what asks them', () => {
  const BECAUSE = /\.?because\(\s*"([A-Za-z]+)"/g;
  /** Closures and tables that give a code to `because`. */
  const GIVEN = /"([a-z]+[A-Za-z]*)",\s*&?\[/g;
  const TABLE = /=> \("([a-z]+[A-Za-z]*)", (?:BTreeMap|inner)|=> \(if inner[^"]*"([a-zA-Z]+)"/g;
  const found = [
    ...['rules', 'wire'].flatMap((crate) => [...all(crate, BECAUSE), ...all(crate, GIVEN)]),
    ...all('wire', TABLE),
  ];

  it('is found in their sources', () => {
    const codes = [...new Set(found.map((f) => f.code))];
    for (const known of ['missing', 'side', 'moveIllegal', 'pgnEmpty', 'pgnStray']) expect(codes).toContain(known);
  });

  for (const [lang, table] of Object.entries({ en, es, ru })) {
    it(`has a text in ${lang}`, () => {
      expect(found.filter(({ code }) => !Object.hasOwn(table, `refused.${code}`))).toEqual([]);
    });
  }

  it('and every text has its code', () => {
    const own = ['inArea', 'inLine', 'inMove'];
    const words = [...sources('rules'), ...sources('wire')].map((s) => s.text).join('\n');
    const unused = Object.keys(en).filter((key) => {
      const [kind, code = ''] = key.split('.');
      return kind === 'refused' && !own.includes(code) && !words.includes(`"${code}"`);
    });
    expect(unused).toEqual([]);
  });
});
