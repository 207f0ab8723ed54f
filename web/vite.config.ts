import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { compressed } from './sw/compress';
import { serviceWorker } from './sw/plugin';

export default defineConfig({
  plugins: [svelte(), serviceWorker(), compressed()],
  build: {
    target: 'es2022',
    // The first with light-dark(), on which the themes rest: it is not to be rewritten for older ones.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy allows no inline script, so nothing may be inlined as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  // The drawings of the pieces lie beside this folder.
  server: {
    port: 5173,
    strictPort: false,
    fs: { allow: ['..'] },
    // `npm run dev` shows games between people, too, when `warpchess serve` runs beside it.
    proxy: Object.fromEntries(
      ['/api', '/game/export', '/ws'].map((path) => [path, { target: process.env.SERVER ?? 'http://127.0.0.1:8080', ws: path === '/ws' }]),
    ),
  },
  test: {
    include: ['tests/unit/**/*.test.ts'],
    environment: 'node',
  },
});
