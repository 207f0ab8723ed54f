/** The rules crate in this thread: positions, legal moves, move text. The engine has its own. */
import rulesUrl from '../../../wasm/rules.wasm?url';
import type { JudgedSetup, ReadPgn, Setup, TreeForm } from './study';
import {
  RulesError,
  type GameRef,
  type GameView,
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

  constructor(
    private readonly code: WebAssembly.Module,
    private instance: RulesModule,
  ) {}

  variants(): VariantInfo[] {
    this.#variants ??= this.#call({ op: 'variants' }) as VariantInfo[];
    return this.#variants;
  }

  view(game: GameRef): GameView {
    return this.#call({ op: 'view', ...game }) as GameView;
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
