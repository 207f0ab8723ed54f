/** The keys of pages on which one goes through moves. */
import type { AnalysisSession } from './analysis.svelte';

/** Acts on a key that is meant for the moves and not for a field or the board; `more` are keys of the page's own. */
export function browse(event: KeyboardEvent, session: AnalysisSession | null, more: Record<string, () => void>): void {
  const busy =
    event.target instanceof Element && event.target.closest('input, select, textarea, [role="grid"], [role="dialog"]');
  if (!session || busy || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => session.previous(),
    ArrowRight: () => session.next(),
    Home: () => session.first(),
    End: () => session.last(),
    ...more,
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}
