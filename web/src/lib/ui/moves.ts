/** The move list as a table: a number, White's move, Black's move. */
import type { HistoryEntry } from '../api/types';

export interface MoveCell {
  /** How many moves have been made after this one. */
  ply: number;
  san: string;
  uci: string;
}

export interface MoveRow {
  number: number;
  cells: (MoveCell | null)[];
}

/** A new row with each full move, and where a side moves out of turn. Rows that are as they were are those of `before`. */
export function rowsOf(history: readonly HistoryEntry[], before: readonly MoveRow[] = []): MoveRow[] {
  const rows: MoveRow[] = [];
  history.forEach((entry, i) => {
    const cell: MoveCell = { ply: i + 1, san: entry.san, uci: entry.uci };
    const last = rows[rows.length - 1];
    if (entry.turn === 'white') rows.push({ number: entry.fullmove, cells: [cell] });
    else if (last?.number === entry.fullmove && last.cells.length === 1) last.cells.push(cell);
    else rows.push({ number: entry.fullmove, cells: [null, cell] });
  });
  return rows.map((row, i) => {
    const known = before[i];
    return known && sameRow(known, row) ? known : row;
  });
}

function sameRow(a: MoveRow, b: MoveRow): boolean {
  const text = (row: MoveRow) => row.cells.map((c) => (c ? `${c.ply} ${c.san} ${c.uci}` : '')).join();
  return a.number === b.number && text(a) === text(b);
}
