/** Writes the service worker, with the files it keeps, into what was built. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Files that are kept only when asked for. */
const LATER = /^\/assets\/engine-[^/]*\.wasm$/;

export function serviceWorker(): Plugin {
  let out = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(config) {
      out = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      const files = list(out).sort();
      const hash = createHash('sha256');
      for (const file of files) hash.update(file).update(readFileSync(join(out, file)));
      const paths = files.map((file) => (file === 'index.html' ? '/' : `/${file}`));
      const later = paths.filter((path) => LATER.test(path));
      const template = readFileSync(new URL('./sw.js', import.meta.url), 'utf8');
      const text = template
        .replace('__VERSION__', hash.digest('hex').slice(0, 16))
        .replace('__FILES__', JSON.stringify(paths.filter((path) => !later.includes(path))))
        .replace('__LATER__', JSON.stringify(later));
      writeFileSync(join(out, 'sw.js'), text);
    },
  };
}

function list(folder: string, root = folder): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return list(path, root);
    const name = relative(root, path).replaceAll('\\', '/');
    // What is compressed is sent in the place of what is not.
    return name === 'sw.js' || name.endsWith('.br') ? [] : [name];
  });
}
