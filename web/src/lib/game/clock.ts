/** What clocks show. Times are milliseconds. */
import type { Clocks, Control } from '../api/server';
import type { Color } from '../api/types';

/** Clocks as they stood at a moment of the server's time. */
export interface ClockReading extends Clocks {
  at: number;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What a player's clock shows at a moment; never below nothing. */
export function timeLeft(reading: ClockReading, color: Color, now: number): number {
  const spent = reading.running === color ? Math.max(0, now - reading.at) : 0;
  return Math.max(0, reading[color] - spent);
}

/** Below this a clock warns: a tenth of the time, between ten seconds and half a minute. */
export function lowTime(control: Control): number {
  if (control.kind === 'days') return 6 * HOUR;
  if (control.kind === 'unlimited') return 0;
  return Math.min(30 * SECOND, Math.max(10 * SECOND, control.limit / 10));
}

export interface Face {
  /** "4:07", "0:09.3", "1:02:30". */
  text: string;
  days: number;
  hours: number;
  /** How long it shows the same. */
  wait: number;
}

/** What is written on a clock: tenths in the last ten seconds, hours where there are some. */
export function face(millis: number): Face {
  const days = Math.floor(millis / DAY);
  const hours = Math.floor((millis % DAY) / HOUR);
  if (millis < 10 * SECOND) {
    const tenths = Math.floor(millis / 100);
    return { text: `0:0${Math.floor(tenths / 10)}.${tenths % 10}`, days, hours, wait: (millis % 100) + 1 };
  }
  // A clock that shows 0:59 has a part of that second left, as clocks of wood do: it is rounded up.
  const seconds = Math.ceil(millis / SECOND);
  const pad = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
  return { text, days, hours, wait: (millis % SECOND) + 1 };
}

/** Whether two time controls are the same; whoever told them may have written their fields in any order. */
export function sameControl(a: Control, b: Control): boolean {
  if (a.kind === 'live') return b.kind === 'live' && a.limit === b.limit && a.increment === b.increment;
  if (a.kind === 'days') return b.kind === 'days' && a.days === b.days;
  return b.kind === 'unlimited';
}

/** "5+3", in minutes and seconds. */
export function controlText(limit: number, increment: number): string {
  const quarters: Record<number, string> = { 15: '¼', 30: '½', 45: '¾', 90: '1½' };
  const seconds = Math.round(limit / SECOND);
  const minutes = quarters[seconds] ?? String(Math.round((seconds / 60) * 10) / 10);
  return `${minutes}+${Math.round(increment / SECOND)}`;
}
