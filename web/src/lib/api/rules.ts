/** The rules crate in this thread: positions, legal moves, move text. The engine has its own. */
import rulesUrl from '../../../wasm/rules.wasm?url';
import type { JudgedSetup, ReadPgn, Setup, TreeForm } from './study';
import {
  RulesError,
  type GameRef,
  type GameView,
  type HistoryEntry,
  type LegalMove,
  type Place,
  type RulesApi,
  type VariantInfo,
  type Why,
} from './types';
import { moduleOnce, RulesModule } from './wasm';

const rulesModule = moduleOnce(rulesUrl);

export async function loadRules(): Promise<RulesApi> {
  const code = await rulesModule();
  return new WasmRules(code, await RulesModule.instantiate(code));
}

export class WasmRules implements RulesApi {
  #variants: VariantInfo[] | null = null;
  #last: { game: GameRef; history: HistoryEntry[] } | null = null;

  constructor(
    private readonly code: WebAssembly.Module,
    private instance: RulesModule,
  ) {}

  variants(): VariantInfo[] {
    this.#variants ??= this.#call({ op: 'variants' }) as VariantInfo[];
    return this.#variants;
  }

  view(game: GameRef): GameView {
    const known = this.#told(game);
    const view = this.#call({ op: 'view', ...game, known: known.length }) as GameView;
    if (known.length > 0) view.history = [...known, ...view.history];
    this.#last = { game, history: view.history };
    return view;
  }

  /** What the last answer told of this game's past: a long one need not be told again with every move. */
  #told(game: GameRef): HistoryEntry[] {
    const last = this.#last;
    if (last?.game.variant !== game.variant || last.game.fen !== game.fen) return [];
    const differs = game.moves.findIndex((uci, i) => uci !== last.game.moves[i]);
    return last.history.slice(0, differs < 0 ? game.moves.length : differs);
  }

  parse(game: GameRef, text: string): string {
    return this.#call({ op: 'parse', ...game, text }) as string;
  }

  pgn(game: GameRef, tags: Record<string, string>): string {
    return this.#call({ op: 'pgn', ...game, tags }) as string;
  }

  readSetup(variant: string, fen: string): JudgedSetup {
    return this.#call({ op: 'readSetup', variant, fen }) as JudgedSetup;
  }

  writeSetup(variant: string, setup: Setup): JudgedSetup {
    return this.#call({ op: 'writeSetup', variant, setup }) as JudgedSetup;
  }

  randomSetup(variant: string, seed: number): string | null {
    try {
      return this.#call({ op: 'randomSetup', variant, seed }) as string;
    } catch (error) {
      if (error instanceof RulesError) return null;
      throw error;
    }
  }

  readPgn(text: string): ReadPgn {
    return this.#call({ op: 'readPgn', text }) as ReadPgn;
  }

  writePgn(tree: TreeForm): string {
    return this.#call({ op: 'writePgn', ...tree }) as string;
  }

  svg(game: GameRef): string {
    return this.#call({ op: 'svg', ...game }) as string;
  }

  premoves(game: GameRef): LegalMove[] {
    return this.#call({ op: 'premoves', ...game }) as LegalMove[];
  }

  why(game: GameRef, from: Place, to: Place): Why {
    return this.#call({ op: 'why', ...game, from, to }) as Why;
  }

  #call(request: object): unknown {
    try {
      return this.instance.call(request);
    } catch (error) {
      // A trap leaves the instance in an unknown state: the next call gets a fresh one.
      if (!(error instanceof RulesError)) {
        void RulesModule.instantiate(this.code).then((fresh) => (this.instance = fresh));
      }
      throw error;
    }
  }
}
