import { describe, expect, it } from 'vitest';
import { meets, nextStart, occurrencesAfter, occurrencesBetween, spanOf } from './recurrence';
import type { Occurrence, Series } from './series';

const at = (iso: string) => Date.parse(iso);

function event(start: string, end: string, more: Partial<Omit<Series, 'until'>> & { until?: string } = {}): Series {
  const { until, ...rest } = more;
  const timing = { start: at(start), end: at(end), until: until === undefined ? null : at(until) };
  return { timezone: 'Europe/Berlin', allDay: false, frequency: 'none', ...rest, ...timing };
}

const written = ({ start, end }: Occurrence) =>
  `${new Date(start).toISOString().slice(0, 16)}/${new Date(end).toISOString().slice(0, 16)}`;

const between = (series: Series, from: string, to: string) => [...occurrencesBetween(series, at(from), at(to))].map(written);

function starts(series: Series, count: number, from = series.start): string[] {
  const found: string[] = [];
  for (const { start } of occurrencesAfter(series, from)) {
    found.push(new Date(start).toISOString().slice(0, 16));
    if (found.length === count) break;
  }
  return found;
}

describe('a single event', () => {
  const single = event('2026-03-02T09:00Z', '2026-03-02T10:00Z');

  it('takes place once', () => {
    expect(starts(single, 5)).toEqual(['2026-03-02T09:00']);
    expect(nextStart(single, single.start)).toBeNull();
    expect(spanOf(single)).toEqual({ start: single.start, end: single.end });
  });

  it('meets half-open windows', () => {
    expect(meets(single, at('2026-03-02T10:00Z'), at('2026-03-02T11:00Z'))).toBe(false);
    expect(meets(single, at('2026-03-02T08:00Z'), at('2026-03-02T09:00Z'))).toBe(false);
    expect(meets(single, at('2026-03-02T09:59Z'), at('2026-03-02T11:00Z'))).toBe(true);
    expect(meets(single, at('2026-03-02T08:00Z'), at('2026-03-02T09:01Z'))).toBe(true);
    expect(between(single, '2026-03-02T10:00Z', '2026-03-02T11:00Z')).toEqual([]);
    expect(between(single, '2026-03-02T08:00Z', '2026-03-02T09:00Z')).toEqual([]);
    expect(between(single, '2026-03-02T09:59Z', '2026-03-02T10:00Z')).toHaveLength(1);
  });
});

describe('wall-clock time', () => {
  it('stays the same when clocks change', () => {
    const daily = event('2026-03-27T09:00Z', '2026-03-27T09:30Z', { frequency: 'daily' });
    expect(starts(daily, 4)).toEqual(['2026-03-27T09:00', '2026-03-28T09:00', '2026-03-29T08:00', '2026-03-30T08:00']);
  });

  it('moves to an hour later where it is skipped', () => {
    const daily = event('2026-03-28T01:30Z', '2026-03-28T02:00Z', { frequency: 'daily' });
    expect(starts(daily, 3)).toEqual(['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']);
  });

  it('is the first of the two where it comes twice', () => {
    const daily = event('2026-10-24T00:30Z', '2026-10-24T01:00Z', { frequency: 'daily' });
    expect(starts(daily, 3)).toEqual(['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']);
  });

  it('is the second of the two for an event that began then', () => {
    const daily = event('2026-10-25T01:30Z', '2026-10-25T02:00Z', { frequency: 'yearly' });
    expect(starts(daily, 2)).toEqual(['2026-10-25T01:30', '2027-10-25T00:30']);
  });

  it('leaves the elapsed time of an event as it is', () => {
    const overnight = event('2026-03-27T22:00Z', '2026-03-28T06:00Z', { frequency: 'daily' });
    expect(between(overnight, '2026-03-29T00:00Z', '2026-03-29T12:00Z')).toEqual(['2026-03-28T22:00/2026-03-29T06:00']);
  });

  it('comes once where a zone skipped a date', () => {
    const daily = event('2011-12-28T22:00Z', '2011-12-28T23:00Z', { timezone: 'Pacific/Apia', frequency: 'daily' });
    expect(starts(daily, 4)).toEqual(['2011-12-28T22:00', '2011-12-29T22:00', '2011-12-30T22:00', '2011-12-31T22:00']);
  });
});

describe('frequencies', () => {
  it('weekly is every 7 days, biweekly every 14', () => {
    expect(starts(event('2026-06-01T08:00Z', '2026-06-01T09:00Z', { frequency: 'weekly' }), 3)).toEqual([
      '2026-06-01T08:00',
      '2026-06-08T08:00',
      '2026-06-15T08:00',
    ]);
    expect(starts(event('2026-06-01T08:00Z', '2026-06-01T09:00Z', { frequency: 'biweekly' }), 3)).toEqual([
      '2026-06-01T08:00',
      '2026-06-15T08:00',
      '2026-06-29T08:00',
    ]);
  });

  it('monthly goes by the local date, and leaves out months without it', () => {
    // 00:30 on the 31st in Berlin.
    const monthly = event('2026-01-30T23:30Z', '2026-01-31T00:30Z', { frequency: 'monthly' });
    expect(starts(monthly, 4)).toEqual(['2026-01-30T23:30', '2026-03-30T22:30', '2026-05-30T22:30', '2026-07-30T22:30']);
  });

  it('monthly on the 29th comes in February of leap years', () => {
    const monthly = event('2027-12-29T12:00Z', '2027-12-29T13:00Z', { frequency: 'monthly' });
    expect(starts(monthly, 3)).toEqual(['2027-12-29T12:00', '2028-01-29T12:00', '2028-02-29T12:00']);
    expect(starts(monthly, 2, at('2029-01-30T00:00Z'))).toEqual(['2029-03-29T11:00', '2029-04-29T11:00']);
  });

  it('yearly on 29 February comes in leap years, eight years apart around 1900 and 2100', () => {
    const yearly = event('1896-02-29T12:00Z', '1896-02-29T13:00Z', { timezone: 'UTC', frequency: 'yearly' });
    expect(starts(yearly, 3)).toEqual(['1896-02-29T12:00', '1904-02-29T12:00', '1908-02-29T12:00']);
    expect(starts(yearly, 2, at('2096-03-01T00:00Z'))).toEqual(['2104-02-29T12:00', '2108-02-29T12:00']);
    expect(meets(yearly, at('2096-03-01T00:00Z'), at('2104-02-29T12:00Z'))).toBe(false);
  });
});

describe('until', () => {
  const daily = (until: string, timezone = 'Europe/Berlin') =>
    event('2026-06-01T22:30Z', '2026-06-01T23:00Z', { frequency: 'daily', until, timezone });

  it('is inclusive', () => {
    expect(starts(daily('2026-06-03T22:30:00.001Z'), 9)).toHaveLength(3);
    expect(starts(daily('2026-06-03T22:30Z'), 9)).toHaveLength(3);
    expect(starts(daily('2026-06-03T22:29:59.999Z'), 9)).toHaveLength(2);
  });

  it('at 00:00 UTC stands for that date in the zone of the event', () => {
    // 00:30 on 2 June in Berlin, 18:30 on 1 June in New York.
    expect(starts(daily('2026-06-03T00:00Z'), 9)).toEqual(['2026-06-01T22:30', '2026-06-02T22:30']);
    expect(starts(daily('2026-06-03T00:00Z', 'America/New_York'), 9)).toEqual([
      '2026-06-01T22:30',
      '2026-06-02T22:30',
      '2026-06-03T22:30',
    ]);
  });

  it('gives the end of the series', () => {
    expect(spanOf(daily('2026-06-03T22:30Z')).end).toBe(at('2026-06-03T23:00Z'));
    expect(spanOf(event('2024-02-29T12:00Z', '2024-02-29T13:00Z', { frequency: 'yearly', until: '2031-12-31T00:00Z' })).end).toBe(
      at('2028-02-29T13:00Z'),
    );
    expect(spanOf(event('2024-02-29T12:00Z', '2024-02-29T13:00Z', { frequency: 'yearly' })).end).toBeNull();
  });

  it('leaves the first occurrence even when it is earlier', () => {
    const odd = daily('2020-01-01T00:00Z');
    expect(starts(odd, 9)).toEqual(['2026-06-01T22:30']);
    expect(spanOf(odd)).toEqual({ start: odd.start, end: odd.end });
  });
});

describe('all-day events', () => {
  it('fill the local dates they touch, however long those are', () => {
    const daily = event('2026-03-28T11:00Z', '2026-03-28T12:00Z', { allDay: true, frequency: 'daily' });
    expect(between(daily, '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual([
      '2026-03-27T23:00/2026-03-28T23:00',
      '2026-03-28T23:00/2026-03-29T22:00',
      '2026-03-29T22:00/2026-03-30T22:00',
    ]);
  });

  it('do not touch the date that begins as they end', () => {
    const two = event('2026-06-01T22:00Z', '2026-06-03T22:00Z', { allDay: true });
    expect(between(two, '2026-01-01T00:00Z', '2027-01-01T00:00Z')).toEqual(['2026-06-01T22:00/2026-06-03T22:00']);
    const three = event('2026-06-01T22:00Z', '2026-06-03T22:00:00.001Z', { allDay: true });
    expect(spanOf(three)).toEqual({ start: at('2026-06-01T22:00Z'), end: at('2026-06-04T22:00Z') });
  });

  it('begin when clocks leave the gap on a date without midnight', () => {
    const weekly = event('2018-10-28T15:00Z', '2018-10-28T16:00Z', {
      timezone: 'America/Sao_Paulo',
      allDay: true,
      frequency: 'weekly',
    });
    expect(between(weekly, '2018-11-01T00:00Z', '2018-11-10T00:00Z')).toEqual(['2018-11-04T03:00/2018-11-05T02:00']);
  });

  it('leave out a date that a zone skipped', () => {
    const daily = event('2011-12-29T00:00Z', '2011-12-29T01:00Z', { timezone: 'Pacific/Apia', allDay: true, frequency: 'daily' });
    expect(starts(daily, 4)).toEqual(['2011-12-28T10:00', '2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00']);
  });
});

describe('long and distant series', () => {
  it('overlap themselves when they last longer than their period', () => {
    const daily = event('2026-01-01T12:00Z', '2026-01-04T13:00Z', { timezone: 'UTC', frequency: 'daily' });
    expect(between(daily, '2026-06-10T12:30Z', '2026-06-10T12:31Z')).toEqual([
      '2026-06-07T12:00/2026-06-10T13:00',
      '2026-06-08T12:00/2026-06-11T13:00',
      '2026-06-09T12:00/2026-06-12T13:00',
      '2026-06-10T12:00/2026-06-13T13:00',
    ]);
  });

  it('end with the year 9999', () => {
    for (const frequency of ['daily', 'weekly', 'biweekly', 'monthly', 'yearly'] as const) {
      const series = event('0001-01-01T00:00Z', '0001-01-01T01:00Z', { timezone: 'America/New_York', frequency });
      const last = [...occurrencesAfter(series, at('9998-12-01T00:00Z'))].at(-1);
      expect(last?.start).toBeGreaterThan(at('9998-12-02T00:00Z'));
      expect(last?.end).toBeLessThan(at('+010000-01-01T00:00Z'));
      expect(nextStart(series, last?.start ?? 0)).toBeNull();
      expect(meets(series, last?.end ?? 0, Number.POSITIVE_INFINITY)).toBe(false);
    }
  });

  it('end sooner when their occurrences would reach past it', () => {
    const long = event('2000-01-01T00:00Z', '2100-01-01T00:00Z', {
      timezone: 'UTC',
      frequency: 'daily',
      until: '9999-12-31T00:00Z',
    });
    expect(spanOf(long).end).toBeLessThan(at('+010000-01-01T00:00Z'));
    expect(starts(long, 1, at('9999-12-30T12:00Z'))).toHaveLength(1);
    const whole = event('9999-12-31T00:00Z', '9999-12-31T01:00Z', { timezone: 'UTC', allDay: true, frequency: 'daily' });
    expect([...occurrencesAfter(whole, 0)]).toEqual([{ start: at('9999-12-31T00:00Z'), end: at('9999-12-31T23:59:59.999Z') }]);
  });
});
