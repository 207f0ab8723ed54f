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

/** Legal moves as the rules list them: those made with one gesture together, without names, and without what is null or empty. */
type LightMoves = Pick<LegalMove, 'kind'> &
  Partial<Pick<LegalMove, 'mover' | 'from' | 'to' | 'via' | 'captures'>> & {
    /** In UCI form, the square to come out at, in the area of `to`, and what the piece becomes. */
    ways: [uci: string, exit?: string | null, role?: string][];
  };
type LightView = Omit<GameView, 'legal'> & { legal: LightMoves[] };
type Named = Pick<LegalMove, 'san' | 'check'>;

/** A legal move whose name is asked for when somebody wants to know it: of hundreds, one is played. */
class FoundMove implements LegalMove {
  readonly kind: LegalMove['kind'];
  readonly mover: LegalMove['mover'];
  readonly from: Place | null;
  readonly to: Place | null;
  readonly via: Place | null;
  readonly captures: Place[];
  readonly #name: (uci: string) => Named;
  #named: Named | null = null;

  constructor(
    found: LightMoves,
    readonly uci: string,
    readonly exit: Place | null,
    readonly role: string | null,
    name: (uci: string) => Named,
  ) {
    const { kind, mover = null, from = null, to = null, via = null, captures = NONE } = found;
    this.kind = kind;
    this.mover = mover;
    this.from = from;
    this.to = to;
    this.via = via;
    this.captures = captures;
    this.#name = name;
  }

  get san(): string {
    return (this.#named ??= this.#name(this.uci)).san;
  }

  get check(): boolean {
    return (this.#named ??= this.#name(this.uci)).check;
  }
}

const NONE: Place[] = [];

/** One by one, in the order of the list. */
function apart(all: readonly LightMoves[], name: (uci: string) => Named): LegalMove[] {
  return all.flatMap((found) =>
    found.ways.map(([uci, exit = null, role = null]) => {
      const area = found.to && 'area' in found.to ? found.to.area : null;
      return new FoundMove(found, uci, exit !== null && area !== null ? { area, square: exit } : null, role, name);
    }),
  );
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
    const told = this.#call({ op: 'view', ...game, known: known.length, light: true }) as LightView;
    const name = (uci: string) => this.#call({ op: 'name', ...game, uci }) as Named;
    const view: GameView = { ...told, legal: apart(told.legal, name) };
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
