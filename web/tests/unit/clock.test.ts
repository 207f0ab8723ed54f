import { describe, expect, it } from 'vitest';
import { controlText, DAY, face, HOUR, lowTime, sameControl, timeLeft } from '../../src/lib/game/clock';
import { chart, pointsOf } from '../../src/lib/online/chart';

describe('a clock', () => {
  const reading = { white: 10_000, black: 20_000, running: 'white', at: 1000 } as const;
  it('runs for the side whose clock runs, and not below nothing', () => {
    expect(timeLeft(reading, 'white', 4000)).toBe(7000);
    expect(timeLeft(reading, 'black', 4000)).toBe(20_000);
    expect(timeLeft(reading, 'white', 99_000)).toBe(0);
    // A server's clock that is a little ahead gives nobody time.
    expect(timeLeft(reading, 'white', 0)).toBe(10_000);
  });

  it('shows tenths at the end, hours where there are some', () => {
    const shown = [0, 99, 9_940, 10_000, 59_001, 60_000, 125_400, 3_600_000, 3 * HOUR + 1].map((ms) => face(ms).text);
    expect(shown).toEqual(['0:00.0', '0:00.0', '0:09.9', '0:10', '1:00', '1:00', '2:06', '1:00:00', '3:00:01']);
    expect(face(2 * DAY + 5 * HOUR)).toMatchObject({ days: 2, hours: 5 });
  });

  it('is drawn again when it shows something else', () => {
    for (const ms of [0, 50, 9_999, 10_000, 10_001, 65_432]) {
      const { text, wait } = face(ms);
      if (ms - wait < 0) continue;
      expect(face(ms - wait).text).not.toBe(text);
      if (wait > 2) expect(face(ms - wait + 2).text).toBe(text);
    }
  });

  it('warns when a tenth is left, between ten and thirty seconds', () => {
    const live = (limit: number) => lowTime({ kind: 'live', limit, increment: 0 });
    expect([live(60_000), live(200_000), live(3_600_000)]).toEqual([10_000, 20_000, 30_000]);
    expect(lowTime({ kind: 'unlimited' })).toBe(0);
  });

  it('is the same whatever the order of its fields', () => {
    const told = JSON.parse('{"increment":3000,"kind":"live","limit":300000}') as { kind: 'live'; limit: number; increment: number };
    expect(sameControl(told, { kind: 'live', limit: 300_000, increment: 3000 })).toBe(true);
    expect(sameControl(told, { kind: 'live', limit: 300_000, increment: 0 })).toBe(false);
    expect(sameControl({ kind: 'days', days: 3 }, { kind: 'days', days: 2 })).toBe(false);
    expect(sameControl({ kind: 'unlimited' }, { kind: 'unlimited' })).toBe(true);
  });

  it('is named as players name it', () => {
    expect([controlText(300_000, 3000), controlText(30_000, 0), controlText(90_000, 1000)]).toEqual(['5+3', '½+0', '1½+1']);
  });
});

describe('the chart of a rating', () => {
  it('holds all points between its lines', () => {
    const points = pointsOf([
      [2026, 0, 1, 1500],
      [2026, 0, 2, 1620],
      [2026, 1, 1, 1480],
    ]);
    const drawn = chart(points, 600, 180);
    expect(drawn).toMatchObject({ low: 1480, high: 1620, first: { rating: 1500 }, last: { rating: 1480 } });
    const ratings = drawn?.ticks.map((t) => t.rating) ?? [];
    expect(Math.min(...ratings)).toBeLessThan(1480);
    expect(Math.max(...ratings)).toBeGreaterThan(1620);
    expect(drawn?.path).toMatch(/^M0\.0 .*L600\.0 /);
  });

  it('of one day is a dot, of none nothing', () => {
    expect(chart(pointsOf([[2026, 0, 1, 1500]]), 600, 180)?.path).toMatch(/^M300\.0/);
    expect(chart([], 600, 180)).toBeNull();
  });
});
