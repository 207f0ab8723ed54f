import { describe, expect, it } from 'vitest';
import { opens } from '../../src/lib/ui/swipe';

describe('a swipe of the sheet', () => {
  it('opens it upwards and shuts it downwards', () => {
    expect(opens(false, 120, 900)).toBe(true);
    expect(opens(true, -120, 900)).toBe(false);
  });

  it('counts when it is short but fast', () => {
    expect(opens(false, 30, 50)).toBe(true);
    expect(opens(true, -30, 50)).toBe(false);
  });

  it('that is short and slow changes nothing', () => {
    expect([opens(false, 20, 800), opens(true, -20, 800)]).toEqual([false, true]);
  });
});
