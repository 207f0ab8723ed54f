/** The rules crate in this thread: positions, legal moves, move text. The engine has its own. */
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
import { compileRules, RulesModule } from './wasm';

export const RULES_URL = '/rules.wasm';

let compiled: Promise<WebAssembly.Module> | null = null;

/** The compiled module, fetched once for this thread and the worker. A failure is not kept. */
export function rulesModule(): Promise<WebAssembly.Module> {
  compiled ??= compileRules(RULES_URL).catch((error: unknown) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

export async function loadRules(): Promise<RulesApi> {
  const code = await rulesModule();
  return new WasmRules(code, await RulesModule.instantiate(code));
}

class WasmRules implements RulesApi {
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
