/** Small preferences. Storage may be forbidden or full: then they last as long as the page. */
const PREFIX = 'warpchess.';

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Nothing to do: the choice simply does not outlive the page.
  }
}
