import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { takeFromProcess } from '@/server/platform/process-globals';
import { withFreshDatabase } from '@/server/testing/database';
import { isTimeCertain, noteDatabaseTime } from './clock';

withFreshDatabase();

beforeEach(() => {
  takeFromProcess('database-clock');
});

afterEach(() => {
  vi.useRealTimers();
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds);

describe('the clock of the database', () => {
  test('is new to a process that has just started, since it may have been set before', () => {
    expect(noteDatabaseTime(inMilliseconds(0))).toBe(true);
    expect(noteDatabaseTime(inMilliseconds(0))).toBe(false);
  });

  test.each([
    ['back by a day', -day, true],
    ['back by seconds', -20_000, false],
    ['ahead', day, false],
  ])('that was set %s is noticed where times have to be corrected', (_what, by, isNoticed) => {
    noteDatabaseTime(inMilliseconds(0));
    expect(noteDatabaseTime(inMilliseconds(by))).toBe(isNoticed);
    expect(noteDatabaseTime(inMilliseconds(by))).toBe(false);
  });
});

describe('the present', () => {
  test('is certain with a clock that goes as it should, or lags a little', async () => {
    expect(await isTimeCertain()).toBe(true);
    noteDatabaseTime(inMilliseconds(0));
    noteDatabaseTime(inMilliseconds(2 * hour));
    expect(await isTimeCertain()).toBe(true);
  });

  test('is in doubt for some hours after a leap of days', async () => {
    const now = performance.now();
    noteDatabaseTime(inMilliseconds(0));
    noteDatabaseTime(inMilliseconds(3 * day));
    expect(await isTimeCertain()).toBe(false);
    vi.spyOn(performance, 'now').mockReturnValue(now + 7 * hour);
    expect(await isTimeCertain()).toBe(true);
  });

  test.each([-1, 1])('is in doubt where server and database differ by hours (%i)', async (sign) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + sign * 30 * minute });
    expect(await isTimeCertain()).toBe(true);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + sign * 3 * hour });
    expect(await isTimeCertain()).toBe(false);
  });
});
