/** What goes over the WebSocket, as docs/protocol.md describes it. */
import type { Challenge, Clocks, End, GameState } from '../api/server';
import type { Color } from '../api/types';

export type Room = 'players' | 'spectators';

export interface Welcome {
  t: 'welcome';
  protocol: number;
  now: number;
  you: { name: string; user: string | null };
}

export interface Joined {
  t: 'joined';
  game: string;
  seq: number;
  room: Room;
  now: number;
  state: GameState;
}

export interface GameEvent {
  t: 'event';
  game: string;
  seq: number;
  at: number;
  kind:
    | 'start'
    | 'move'
    | 'takeback'
    | 'end'
    | 'rematch'
    | 'draw-offer'
    | 'draw-decline'
    | 'takeback-offer'
    | 'takeback-decline'
    | 'rematch-offer'
    | 'rematch-decline';
  ply?: number;
  by?: Color | null;
  uci?: string;
  san?: string;
  fen?: string;
  rematch?: string;
  clock?: Clocks;
  end?: End;
}

export interface ChatLine {
  t: 'chat';
  game: string;
  seq: number;
  room: Room;
  name: string;
  color: Color | null;
  text: string;
  at: number;
}

export interface Presence {
  t: 'presence';
  game: string;
  white: boolean;
  black: boolean;
  spectators: number;
  /** Since when a player is away who was there. */
  left?: Record<Color, number | null>;
}

export interface Ack {
  t: 'ack';
  game: string;
  id: string | null;
  seq?: number;
  ply?: number;
  chat?: number;
  duplicate?: boolean;
  rematch?: string;
}

export interface Refused {
  t: 'refused';
  game: string;
  id: string | null;
  code: string;
  error: string;
  ply?: number;
}

export type LobbyMessage =
  | { t: 'lobby'; challenges: Challenge[] }
  | { t: 'lobby-add'; challenge: Challenge }
  | { t: 'lobby-remove'; id: string };

export type PlayerMessage =
  | { t: 'challenge' | 'challenge-accepted' | 'challenge-declined' | 'challenge-canceled'; challenge: Challenge }
  | { t: 'game-start' | 'game-end'; game: string };

export interface Pong {
  t: 'pong';
  n: number | null;
  now: number;
  lag: number;
}

export type Told =
  | Welcome
  | Joined
  | GameEvent
  | ChatLine
  | Presence
  | Ack
  | Refused
  | LobbyMessage
  | PlayerMessage
  | Pong
  | { t: 'error'; code: string; error: string };

export type ActionName =
  | 'resign'
  | 'abort'
  | 'draw-offer'
  | 'draw-accept'
  | 'draw-decline'
  | 'draw-claim'
  | 'takeback-offer'
  | 'takeback-accept'
  | 'takeback-decline'
  | 'rematch-offer'
  | 'rematch-accept'
  | 'rematch-decline'
  | 'claim-victory'
  | 'flag';
