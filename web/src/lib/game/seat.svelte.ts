/** What every page with a game in play does for the person at it: decisions in advance, sounds, keys. */
import { untrack } from 'svelte';
import type { LegalMove, Place, Why } from '../api/types';
import { steersSquares } from '../board/focus';
import { settings } from '../ui/settings.svelte';
import { sound, soundOf, type Sound } from '../ui/sound';
import { settled } from './settle';
import type { Table } from './table.svelte';

export class Seat {
  flipped = $state(false);
  /** What may be decided for the next turn. It is found after the move before it has been drawn. */
  premoves: LegalMove[] = $state.raw([]);
  readonly #game: Table;

  /** To be made while a component is made. `waits` says whether the other side's move is waited for. */
  constructor(game: Table, waits: () => boolean) {
    this.#game = game;
    $effect(() => {
      const waiting = waits() && !game.myTurn && !game.outcome && game.cursor === null ? game.view : null;
      untrack(() => {
        if (this.premoves.length > 0) this.premoves = [];
      });
      if (!waiting) return;
      return settled(() => (this.premoves = game.premovable));
    });

    // Each new move is heard, whoever made it, and so is an end that no move has made.
    let [heard, over] = untrack(() => [game.view.ply, game.outcome !== null]);
    $effect(() => {
      const ply = game.view.ply;
      const finished = game.outcome !== null;
      untrack(() => {
        const made = game.lastMove;
        if (ply === heard + 1 && made) this.play(soundOf(made.move, finished));
        else if (ply === heard && finished && !over) this.play('end');
        [heard, over] = [ply, finished];
      });
    });
  }

  play(name: Sound): void {
    // After the picture: the first sound makes the browser open its audio, which takes a while.
    if (settings().sound) requestAnimationFrame(() => setTimeout(() => sound(name)));
  }

  decide(move: LegalMove | null): void {
    this.#game.setPremove(move);
    if (move) this.play('ahead');
  }

  why(from: Place, to: Place): Why | null {
    try {
      return this.#game.why(from, to);
    } catch {
      return null;
    }
  }

  /** The arrows look back and forth; F flips the board, also from the board itself and in the middle of a choice. */
  onkeydown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
    if (event.target.closest('input, select, textarea')) return;
    if (event.key.toLowerCase() === 'f') {
      this.flipped = !this.flipped;
      return;
    }
    if (steersSquares(event.target) || event.target.closest('[role="dialog"], [role="log"]')) return;
    if (event.key === 'ArrowLeft') this.browse(-1);
    else if (event.key === 'ArrowRight') this.browse(1);
    else return;
    event.preventDefault();
  }

  /** One move back or forth. Returns whether there was one. */
  browse(by: 1 | -1): boolean {
    const game = this.#game;
    const before = game.shownPly;
    game.lookAt(before + by);
    return game.shownPly !== before;
  }
}
