#!/usr/bin/env node
// Checks that every crate and npm package the project is built with is under a licence that deny.toml allows.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The licences of `allow = [ … ]` in deny.toml. */
function allowed() {
  const list = /^allow = \[([^\]]*)\]/m.exec(readFileSync(join(root, 'deny.toml'), 'utf8'));
  if (!list) throw new Error('deny.toml has no list `allow` of licences');
  return new Set([...list[1].matchAll(/"([^"]+)"/g)].map((match) => match[1]));
}

/**
 * Whether an SPDX expression can be met with allowed licences. Old crates write `MIT/Apache-2.0` for OR.
 * expression = term { "OR" term }; term = factor { "AND" factor }; factor = "(" expression ")" | id [ "WITH" id ]
 */
export function satisfied(expression, allow) {
  const tokens = expression.replaceAll('/', ' OR ').match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const list = (operator, part, join) => {
    let result = part();
    while (tokens[at] === operator) {
      at += 1;
      result = join(part(), result);
    }
    return result;
  };
  const factor = () => {
    if (tokens[at] === '(') {
      at += 1;
      const inner = expressionAt();
      if (tokens[at] !== ')') throw new Error(`"${expression}" lacks a ")"`);
      at += 1;
      return inner;
    }
    let id = tokens[at];
    at += 1;
    if (tokens[at] === 'WITH') {
      id += ` WITH ${tokens[at + 1]}`;
      at += 2;
    }
    return allow.has(id);
  };
  const term = () => list('AND', factor, (a, b) => a && b);
  const expressionAt = () => list('OR', term, (a, b) => a || b);
  const result = expressionAt();
  if (at !== tokens.length) throw new Error(`"${expression}" is no licence expression`);
  return result;
}

function crates() {
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1', '--locked', '--all-features'], {
    cwd: root,
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(metadata).packages.map(({ name, version, license }) => ({ what: `crate ${name} ${version}`, license }));
}

function npmPackages() {
  const lock = JSON.parse(readFileSync(join(root, 'web/package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, { version, license }]) => ({ what: `npm package ${path.split('node_modules/').at(-1)} ${version}`, license }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const allow = allowed();
  const packages = [...crates(), ...npmPackages()];
  const refused = packages.filter(({ license }) => !license || !satisfied(license, allow));
  for (const { what, license } of refused) console.error(`error: ${what}: ${license ?? 'no licence named'}: not allowed by deny.toml`);
  if (refused.length) process.exit(1);
  console.log(`==> every licence is allowed by deny.toml: ${packages.length} packages looked at`);
}
