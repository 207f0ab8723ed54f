import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'screenshots/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      eqeqeq: 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Addresses are built by the router's own href(), which this rule cannot see.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    files: ['sw/sw.js'],
    languageOptions: { globals: { ...globals.serviceworker, __FILES__: 'readonly', __LATER__: 'readonly' } },
  },
  {
    files: ['scripts/**', 'tests/**/*.mjs', '*.config.{js,ts}', 'sw/plugin.ts'],
    languageOptions: { globals: { ...globals.node } },
  },
);
