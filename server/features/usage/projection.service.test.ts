import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectToEnd, projectUsage } from './projection.service';

const start = new Date('2026-11-01T00:00:00Z');
const end = new Date('2026-12-01T00:00:00Z');
const at = (time: string) => new Date(time);

test('a third of the month makes a third of the month’s use', () => {
  expect(projectToEnd(1_000, start, end, at('2026-11-11T00:00:00Z'))).toBe(3_000);
});

test('both meters of a month are projected', () => {
  const meter = (current: number) => ({ current, limit: -1, percentage: 0, formatted: '' });
  const period = { start: start.toISOString(), end: end.toISOString() };
  const stats = { plan: 'Free', period, tokenUsage: meter(1_000), executions: meter(3) };
  expect(projectUsage(stats, at('2026-11-11T00:00:00Z'))).toEqual({ tokens: 3_000, executions: 9 });
});

test('a fraction is rounded to what can be counted', () => {
  expect(projectToEnd(10, start, end, at('2026-11-08T00:00:00Z'))).toBe(43);
});

test('the first hour says nothing about a month', () => {
  expect(projectToEnd(500, start, end, start)).toBe(500);
  expect(projectToEnd(500, start, end, at('2026-11-01T00:59:59.999Z'))).toBe(500);
  expect(projectToEnd(500, start, end, at('2026-11-01T01:00:00Z'))).toBe(360_000);
});

test('a clock that is behind the month’s start is no reason to divide by less than nothing', () => {
  expect(projectToEnd(500, start, end, at('2026-10-31T23:00:00Z'))).toBe(500);
});

test('at the end, or after it, it is what was used', () => {
  expect(projectToEnd(1_234, start, end, end)).toBe(1_234);
  expect(projectToEnd(1_234, start, end, at('2026-12-02T00:00:00Z'))).toBe(1_234);
});

test('nothing used leads to nothing', () => {
  expect(projectToEnd(0, start, end, at('2026-11-20T00:00:00Z'))).toBe(0);
});

test('never less than what was used, and never more the later it is', () => {
  const moment = fc.date({ min: at('2026-11-01T01:00:00Z'), max: end, noInvalidDate: true });
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), moment, moment, (current, one, other) => {
      const [earlier, later] = one <= other ? [one, other] : [other, one];
      const projected = projectToEnd(current, start, end, later);
      expect(projected).toBeGreaterThanOrEqual(current);
      expect(projectToEnd(current, start, end, earlier)).toBeGreaterThanOrEqual(projected);
    }),
  );
});
