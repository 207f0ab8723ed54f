/**
 * A game between people, over the connection. Moves are shown at once and count when the server has stored them; what the
 * server tells is the truth, and what is shown follows it.
 */
import type { Clocks, Control, End, GameState, PlayerInfo } from '../api/server';
import type { Color, LegalMove, Outcome, OutcomeReason, RulesApi, VariantInfo } from '../api/types';
import type { Connection, Follower } from '../net/connection';
import { ActionRefused } from '../net/connection';
import type { Ack, ActionName, ChatLine, GameEvent, Joined, Presence, Refused, Room } from '../net/messages';
import { fateOf, type PendingMove } from '../net/pending';
import { opposite } from '../board/place';
import { timeLeft, type ClockReading } from './clock';
import { Table } from './table.svelte';

/** What the game needs of the connection. */
export type Line = Pick<Connection, 'follow' | 'refresh' | 'move' | 'act' | 'say' | 'serverNow'>;

export interface Offers {
  draw: Color | null;
  takeback: Color | null;
  rematch: Color | null;
}

/** Something that happened and is told in words; each comes once. */
export interface Notice {
  kind: 'drawDeclined' | 'takebackDeclined' | 'rematchDeclined' | 'takenBack' | 'notPlayed';
  by: Color | null;
  /** Why, as the server's word. */
  code: string | null;
}

/** The game is at another place than the one a move was meant for. */
const OVERTAKEN: ReadonlySet<string> = new Set(['stale', 'early', 'not-your-turn', 'illegal-move', 'over']);

/** No more lines are kept than anybody reads. */
const LINES = 200;

export class OnlineGame extends Table implements Follower {
  readonly id: string;
  readonly control: Control;
  readonly rated: boolean;
  readonly speed: GameState['speed'];
  readonly rematchOf: string | null;
  readonly patience: number | null;
  /** The person's side, null for those who watch. */
  side: Color | null = $state(null);
  players: Record<Color, PlayerInfo> = $state.raw({} as Record<Color, PlayerInfo>);
  clock: ClockReading | null = $state.raw(null);
  end: End | null = $state.raw(null);
  offers: Offers = $state.raw({ draw: null, takeback: null, rematch: null });
  rematch: string | null = $state(null);
  lines: ChatLine[] = $state.raw([]);
  room: Room = $state('spectators');
  present: Presence | null = $state.raw(null);
  notice: Notice | null = $state.raw(null);
  /** Whether the server has told how the game stands, and nothing was lost since. */
  joinedNow = $state(false);
  /** When a player who has not moved yet loses the game, by the server's clock. */
  deadlineAt: number | null = $state(null);
  lost: string | null = $state(null);

  readonly #line: Line;
  #seen = 0;
  #said = 0;
  #pending: PendingMove | null = $state.raw(null);
  /** The move sent last that had been decided in advance. */
  #fromAhead: string | null = null;
  /** Such a move that came too late. */
  #overtaken: PendingMove | null = null;
  #leave: () => void = () => undefined;

  /** @throws RulesError when the moves cannot be replayed. */
  constructor(rules: RulesApi, info: VariantInfo, state: GameState, line: Line) {
    super(rules, info, state.initialFen, state.moves);
    this.#line = line;
    this.id = state.id;
    this.control = state.control;
    this.rated = state.rated;
    this.speed = state.speed;
    this.rematchOf = state.rematchOf;
    this.patience = state.patience;
    this.#take(state);
  }

  get game(): string {
    return this.id;
  }
  get seen(): number {
    return this.#seen;
  }
  get said(): number {
    return this.#said;
  }
  get mine(): Color | null {
    return this.side;
  }
  override get held(): boolean {
    return !this.joinedNow || this.#pending !== null;
  }
  /** Whether a move of ours has not been answered. */
  get sending(): boolean {
    return this.#pending !== null;
  }
  override get outcome(): Outcome | null {
    return this.end ? { winner: this.end.winner, reason: this.end.reason as OutcomeReason } : super.outcome;
  }
  get opponent(): Color | null {
    return this.side && opposite(this.side);
  }
  get canAbort(): boolean {
    return this.side !== null && !this.outcome && this.played.length < 2;
  }
  get canTakeBack(): boolean {
    return this.side !== null && !this.outcome && this.played.some((p) => p.before.turn === this.side);
  }
  get againstComputer(): boolean {
    return this.players.white.level !== null || this.players.black.level !== null;
  }

  /** Since when the opponent is away, by the server's clock; null for one who is there. */
  get opponentLeftAt(): number | null {
    const other = this.opponent;
    if (!other || !this.present || this.present[other] || this.players[other].level !== null) return null;
    return this.present.left?.[other] ?? null;
  }

  join(): void {
    this.#leave = this.#line.follow(this);
  }

  close(): void {
    this.#leave();
  }

  /** The connection is gone: nothing may be played until it is back. */
  lostConnection(): void {
    this.joinedNow = false;
  }

  serverNow(): number {
    return this.#line.serverNow();
  }

  timeLeft(color: Color): number | null {
    return this.clock && timeLeft(this.clock, color, this.serverNow());
  }

  act(action: ActionName): Promise<Ack> {
    this.notice = null;
    return this.#line.act(this.id, action);
  }

  say(text: string): Promise<Ack> {
    return this.#line.say(this.id, this.room, text);
  }

  protected submit(move: LegalMove): void {
    const before = this.moves;
    if (!this.advance(move.uci)) return;
    this.notice = null;
    this.#freeze();
    this.#pending = this.#line.move(this.id, before.length, move.uci, before);
  }

  joined({ state, room }: Joined): void {
    this.room = room;
    this.#take(state);
    this.joinedNow = true;
    // The opponent may have moved while the connection was away.
    if (!this.#pending) this.playPremove();
  }

  event(event: GameEvent): void {
    // What the state had already is not done again.
    if (event.seq <= this.#seen) return;
    if (event.seq !== this.#seen + 1) {
      this.#line.refresh(this.id);
      return;
    }
    this.#seen = event.seq;
    if (event.clock) this.clock = { ...event.clock, at: event.at };
    switch (event.kind) {
      case 'move':
        this.#moved(event);
        break;
      case 'takeback':
        this.#tookBack(event.ply ?? 0);
        break;
      case 'draw-offer':
        this.offers = { ...this.offers, draw: event.by ?? null };
        break;
      case 'draw-decline':
        this.offers = { ...this.offers, draw: null };
        this.notice = { kind: 'drawDeclined', by: event.by ?? null, code: null };
        break;
      case 'takeback-offer':
        this.offers = { ...this.offers, takeback: event.by ?? null };
        break;
      case 'takeback-decline':
        this.offers = { ...this.offers, takeback: null };
        this.notice = { kind: 'takebackDeclined', by: event.by ?? null, code: null };
        break;
      case 'rematch-offer':
        this.offers = { ...this.offers, rematch: event.by ?? null };
        break;
      case 'rematch-decline':
        this.offers = { ...this.offers, rematch: null };
        this.notice = { kind: 'rematchDeclined', by: event.by ?? null, code: null };
        break;
      case 'rematch':
        this.rematch = event.rematch ?? null;
        break;
      default:
        break;
    }
    if (event.end) this.#ended(event.end);
  }

  chat(line: ChatLine): void {
    if (line.seq <= this.#said) return;
    this.#said = line.seq;
    this.lines = [...this.lines, line].slice(-LINES);
  }

  presence(presence: Presence): void {
    this.present = presence;
  }

  acked(move: PendingMove, ack: Ack | null): void {
    if (this.#pending?.id !== move.id) return;
    this.#pending = null;
    // It was played before and taken back meanwhile, or more has happened than was told here.
    if (ack?.duplicate) this.#line.refresh(this.id);
    this.playPremove();
  }

  refused(move: PendingMove, why: Refused | null): void {
    if (this.#pending?.id !== move.id) return;
    this.#pending = null;
    if (this.moves[move.ply] === move.uci && this.moves.length === move.ply + 1 && this.#confirmed <= move.ply) this.rewind(move.ply);
    // Another page of the same person, or a takeback: the game went elsewhere than this move was decided for.
    if (move.id === this.#fromAhead && why !== null && OVERTAKEN.has(why.code)) {
      this.premoveLost = true;
      this.#overtaken = move;
    } else {
      this.notice = { kind: 'notPlayed', by: this.side, code: why?.code ?? null };
    }
    this.#line.refresh(this.id);
  }

  failed(why: Refused): void {
    this.lost = why.code;
  }

  protected override playPremove(): boolean {
    const played = super.playPremove();
    if (played) this.#fromAhead = this.#pending?.id ?? null;
    return played;
  }

  /** How many plies the server has told. */
  #confirmed = 0;

  #moved({ ply = 0, uci = '', by }: GameEvent): void {
    this.#confirmed = ply;
    // One's own offer of a draw stands after one's move; the other's is declined by it.
    this.offers = { ...this.offers, takeback: null, draw: this.offers.draw === by ? this.offers.draw : null };
    this.deadlineAt = null;
    if (this.moves.length === ply && this.moves[ply - 1] === uci) {
      // Our own, which is on the board already.
      if (this.#pending?.ply === ply - 1) this.#pending = null;
      this.playPremove();
      return;
    }
    if (this.moves.length !== ply - 1) this.#line.refresh(this.id);
    else if (this.advance(uci)) this.playPremove();
    else this.#line.refresh(this.id);
  }

  #tookBack(ply: number): void {
    this.#confirmed = ply;
    this.#pending = null;
    this.rewind(ply);
    this.end = null;
    this.offers = { ...this.offers, takeback: null, draw: null };
    this.notice = { kind: 'takenBack', by: null, code: null };
  }

  #ended(end: End): void {
    this.end = end;
    this.#pending = null;
    this.offers = { ...this.offers, draw: null, takeback: null };
    this.setPremove(null);
    this.cursor = null;
    this.deadlineAt = null;
    if (end.ratingDiffs) {
      const [white, black] = end.ratingDiffs;
      this.players = {
        white: { ...this.players.white, ratingDiff: white },
        black: { ...this.players.black, ratingDiff: black },
      };
    }
  }

  /** Our clock stands as soon as we have moved; the server says by how much it went on. */
  #freeze(): void {
    if (!this.clock) return;
    const now = this.serverNow();
    const shown: Clocks = { white: timeLeft(this.clock, 'white', now), black: timeLeft(this.clock, 'black', now), running: null };
    this.clock = { ...shown, at: now };
  }

  /** Shows what the server tells. */
  #take(state: GameState): void {
    this.#seen = Math.max(state.seq, this.#seen);
    this.side = state.you;
    this.players = { white: state.white, black: state.black };
    this.clock = state.clock && { ...state.clock, at: state.now };
    this.offers = { draw: state.drawOffer, takeback: state.takebackOffer, rematch: state.rematchOffer };
    this.rematch = state.rematch;
    this.deadlineAt = state.ply < 2 ? state.deadlineAt : null;
    this.#confirmed = state.ply;
    // A move of ours that is on its way stays on the board if it still belongs there.
    const waits = this.#pending && fateOf(this.#pending, state) === 'again' ? [this.#pending.uci] : [];
    this.#show([...state.moves, ...waits]);
    // It was played after all, by another page: nothing was lost.
    const late = this.#overtaken;
    this.#overtaken = null;
    if (late) this.premoveLost = state.moves[late.ply] !== late.uci;
    this.end = null;
    if (state.end) this.#ended(state.end);
  }

  #show(moves: string[]): void {
    let same = 0;
    while (same < this.played.length && this.played[same]?.move.uci === moves[same]) same++;
    if (same < this.played.length) this.rewind(same);
    for (const uci of moves.slice(same)) {
      if (!this.advance(uci)) throw new Error(`${uci}?`);
    }
  }
}

export function isRefused(error: unknown): error is ActionRefused {
  return error instanceof ActionRefused;
}
