/** What a board is given to draw. */
import type { AreaId, Color, MarkerView, Mover, Place, VariantInfo } from '../api/types';
import type { Foreseen } from './foresee';
import type { Target } from './gestures';
import type { Frame } from './scene';

export interface BoardModel {
  info: VariantInfo;
  /** The side that sits below. */
  bottom: Color;
  frame: Frame;
  markers: MarkerView[];
  /** Numbers of fixed links by place key. */
  links: Map<string, number>;
  targets: Map<string, Target>;
  picked: { key: string; mover: Mover; others: Mover[] } | null;
  lastMove: Set<string>;
  check: Set<string>;
  pickable: Set<string>;
  /** The area to move in, where that matters and the game goes on. */
  due: AreaId | null;
  /** What is being dragged is drawn under the pointer, not on its square. */
  dragging: boolean;
  /** What the pointer is over in a drag. */
  over: string | null;
  label(place: Place): string;
  /** What is picked up is for a later turn. */
  ahead?: boolean;
  /** Places of a move that was decided for a later turn. */
  decided?: Set<string>;
  /** Two places whose pieces are drawn as if they had changed places. */
  preview?: { from: string; to: string } | null;
  /** What a move of the marker in hand would do to pieces. */
  foreseen?: Foreseen | null;
  /** No coordinates, no marks where a piece may go, no motion: each only when it says `false`. */
  coordinates?: boolean;
  hints?: boolean;
  motion?: boolean;
}
