/** Dark and light: the system's choice until the person makes one. */
import { recall, remember } from './storage';

export type Theme = 'light' | 'dark';

let chosen: Theme | null = $state(null);
let system: Theme = $state('light');

export function startTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  system = dark.matches ? 'dark' : 'light';
  dark.addEventListener('change', (e) => (system = e.matches ? 'dark' : 'light'));
  const stored = recall('theme');
  if (stored === 'light' || stored === 'dark') apply(stored);
}

export function theme(): Theme {
  return chosen ?? system;
}

export function toggleTheme(): void {
  const next = theme() === 'dark' ? 'light' : 'dark';
  apply(next);
  remember('theme', next);
}

function apply(next: Theme): void {
  chosen = next;
  document.documentElement.dataset.theme = next;
}
