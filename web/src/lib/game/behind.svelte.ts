import { untrack } from 'svelte';
import { afterPaint } from './settle';

/**
 * A value as it was when the last picture was drawn: what is told beside the board follows one picture later, so that
 * the board does not wait for it. To be called while a component is made.
 */
export function behind<T>(source: () => T): { readonly value: T } {
  let value: T = $state.raw(untrack(source));
  $effect(() => {
    const next = source();
    return afterPaint(() => (value = next));
  });
  return {
    get value() {
      return value;
    },
  };
}
