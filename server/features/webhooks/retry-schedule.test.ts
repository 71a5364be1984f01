import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedWait, nextDelay, retryDelays } from './retry-schedule';

const day = 86_400;

test('the delays are those of the contract', () => {
  expect(retryDelays.map((seconds) => seconds / 60)).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440]);
  expect(retryDelays.map((_, index) => nextDelay(index + 1, 0, 0.5))).toEqual([...retryDelays]);
});

test('each varies by a fifth, and there is none after the tenth attempt', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), random, (attempts, chance) => {
      const delay = nextDelay(attempts, 0, chance) ?? 0;
      const scheduled = retryDelays[attempts - 1] ?? 0;
      expect(delay).toBeGreaterThanOrEqual(scheduled * 0.8 - 1e-9);
      expect(delay).toBeLessThanOrEqual(scheduled * 1.2 + 1e-9);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1000 }), random, (attempts, chance) => nextDelay(attempts, day, chance) === null),
  );
});

test('what a receiver asks for is never earlier than scheduled, and at most a day', () => {
  fc.assert(
    fc.property(fc.constantFrom(429, 503), fc.nat(), fc.integer({ min: 1, max: 9 }), (status, seconds, attempts) => {
      const asked = askedWait(status, String(seconds));
      expect(asked).toBe(Math.min(seconds, day));
      expect(nextDelay(attempts, asked, 0.5)).toBe(Math.max(asked, retryDelays[attempts - 1] ?? 0));
    }),
  );
});

test.each([
  [503, 'Wed, 25 Nov 2026 12:10:00 GMT', 600],
  [503, 'Wed, 25 Nov 2026 11:00:00 GMT', 0],
  [503, 'Wed, 25 Nov 2099 11:00:00 GMT', day],
  [503, 'soon', 0],
  [503, '-5', 0],
  [503, '1e3', 0],
  [503, null, 0],
  [500, '60', 0],
  [null, '60', 0],
])('an answer %s with Retry-After %j waits %i seconds', (status, header, seconds) => {
  expect(askedWait(status, header, Date.parse('2026-11-25T12:00:00Z'))).toBe(seconds);
});
