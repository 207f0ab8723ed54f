import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const web = resolve(fileURLToPath(new URL('.', import.meta.url)), '../..');

/** Every page of the app is the fixture's index.html. */
export default defineConfig({
  root: web,
  appType: 'custom',
  plugins: [
    svelte({ configFile: resolve(web, 'svelte.config.js') }),
    {
      name: 'fixture-page',
      configureServer(server) {
        return () => {
          server.middlewares.use((request, response, next) => {
            const html = readFileSync(resolve(web, 'tests/fixture-app/index.html'), 'utf8');
            server.transformIndexHtml(request.url ?? '/', html).then((text) => {
              response.setHeader('Content-Type', 'text/html');
              response.end(text);
            }, next);
          });
        };
      },
    },
  ],
  server: { port: 5174 },
});
