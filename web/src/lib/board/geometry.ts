/** Where squares are drawn. Units are squares; a divider is a gap of `GAP` squares. */
import type { AreaId, BoardInfo, Color, Place, VariantInfo } from '../api/types';
import { isSquare, type SquarePlace } from './place';

export const GAP = 0.4;
const FILES = 'abcdefghijklmnopqrstuvwxyz';

export interface Cell {
  place: SquarePlace;
  square: string;
  /** Column and row as drawn, from the top left corner. */
  column: number;
  row: number;
  x: number;
  y: number;
  light: boolean;
  /** True on the drawn left and bottom edge, where coordinates are written. */
  firstColumn: boolean;
  lastRow: boolean;
}

export class BoardGeometry {
  /** Width and height in squares. */
  readonly width: number;
  readonly height: number;
  readonly #gapsBefore: number[] = [];
  readonly #areas = new Map<string, AreaId>();

  constructor(
    readonly info: BoardInfo,
    areas: VariantInfo['areas'],
  ) {
    let gaps = 0;
    for (let file = 0; file < info.files; file++) {
      this.#gapsBefore.push(gaps);
      if (info.dividers.includes(FILES.charAt(file))) gaps++;
    }
    this.width = info.files + gaps * GAP;
    this.height = info.ranks;
    for (const area of areas) {
      if (area.board !== info.id) continue;
      for (const square of area.squares) this.#areas.set(square, area.id);
    }
  }

  get id(): string {
    return this.info.id;
  }

  /** The areas on this board, in the order of their first square. */
  get areas(): AreaId[] {
    return [...new Set(this.#areas.values())];
  }

  area(square: string): AreaId | null {
    return this.#areas.get(square) ?? null;
  }

  holds(place: Place | null): place is SquarePlace {
    return isSquare(place) && this.#areas.get(place.square) === place.area;
  }

  /** Top left corner of a square as seen by `bottom`, the side that sits below. */
  position(square: string, bottom: Color): { x: number; y: number } {
    const { file, rank } = this.#coordinates(square);
    const x = file + (this.#gapsBefore[file] ?? 0) * GAP;
    return bottom === 'white'
      ? { x, y: this.height - 1 - rank }
      : { x: this.width - 1 - x, y: rank };
  }

  /** Centres of the dividers, in squares from the left edge as drawn. */
  dividerCentres(bottom: Color): number[] {
    return this.info.dividers.map((file) => {
      const left = this.position(`${file}1`, bottom).x;
      return bottom === 'white' ? left + 1 + GAP / 2 : left - GAP / 2;
    });
  }

  /** All squares, row by row from the top as seen by `bottom`. */
  rows(bottom: Color): Cell[][] {
    const rows: Cell[][] = [];
    for (let row = 0; row < this.info.ranks; row++) {
      const cells: Cell[] = [];
      for (let column = 0; column < this.info.files; column++) {
        const square = this.#squareAt(column, row, bottom);
        const area = this.#areas.get(square);
        if (area === undefined) continue;
        const { file, rank } = this.#coordinates(square);
        cells.push({
          place: { area, square },
          square,
          column,
          row,
          ...this.position(square, bottom),
          light: (file + rank) % 2 === 1,
          firstColumn: column === 0,
          lastRow: row === this.info.ranks - 1,
        });
      }
      rows.push(cells);
    }
    return rows;
  }

  /** The square `dx` columns right and `dy` rows down as drawn, held inside the board. */
  step(square: string, dx: number, dy: number, bottom: Color): string {
    const { file, rank } = this.#coordinates(square);
    const column = bottom === 'white' ? file : this.info.files - 1 - file;
    const row = bottom === 'white' ? this.info.ranks - 1 - rank : rank;
    const clamp = (n: number, max: number) => Math.min(Math.max(n, 0), max);
    return this.#squareAt(
      clamp(column + dx, this.info.files - 1),
      clamp(row + dy, this.info.ranks - 1),
      bottom,
    );
  }

  #squareAt(column: number, row: number, bottom: Color): string {
    const file = bottom === 'white' ? column : this.info.files - 1 - column;
    const rank = bottom === 'white' ? this.info.ranks - row : row + 1;
    return `${FILES.charAt(file)}${rank}`;
  }

  #coordinates(square: string): { file: number; rank: number } {
    return { file: FILES.indexOf(square.charAt(0)), rank: Number(square.slice(1)) - 1 };
  }
}

export function geometries(info: VariantInfo): BoardGeometry[] {
  return info.boards.map((board) => new BoardGeometry(board, info.areas));
}
