/** Puts beside each larger file of the build one that is compressed as well as can be: servers have no time for that. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/** Smaller ones gain nothing. */
const LEAST = 1024;

export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir }) {
      if (!dir) return;
      const folder = join(dir, 'assets');
      for (const name of readdirSync(folder)) {
        if (!/\.(js|css|wasm)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        if (bytes.length < LEAST) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
      }
    },
  };
}
