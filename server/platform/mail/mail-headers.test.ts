import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sentAtOf } from './mail-date';
import { headersOf, isAutoReply, messageId, messageIds, referencesOf, withoutComments } from './mail-headers';

function read(...lines: string[]): boolean {
  return isAutoReply(headersOf(lines.join('\r\n')));
}

describe('mail no person wrote', () => {
  test.each([
    'Auto-Submitted: auto-replied',
    'auto-submitted: Auto-Generated; owner=x',
    'Auto-Submitted:',
    'Precedence: Bulk',
    'Precedence: list (Mailman)',
    'Precedence: junk',
    'List-Id: News <news.example.com>',
    'Return-Path: <>',
    'Return-Path:\r\n  < > (nobody)',
  ])('%s', (line) => {
    expect(read('From: a@example.com', line)).toBe(true);
  });

  test.each([
    'Auto-Submitted: no',
    'Auto-Submitted: NO (a person); x=y',
    'Precedence: first-class',
    'Return-Path: <a@b>',
    'X-List-Id: a',
    'Subject: List-Id: b',
  ])('is not told by %s', (line) => {
    expect(read('From: a@example.com', line)).toBe(false);
  });
});

describe('ids', () => {
  test.each([
    ['<a@b>', '<a@b>'],
    ['  <a@b>  (a comment) ', '<a@b>'],
    ['a@b', '<a@b>'],
    ['abc', '<abc>'],
    ['(comment (nested)) a@b', '<a@b>'],
    ['<a@\r\n b>', '<a@b>'],
    ['<a@b', '<a@b>'],
    ['<a@b> <c@d>', '<a@b>'],
    ['<>', null],
    ['', null],
    [`<${'a'.repeat(996)}>`, `<${'a'.repeat(996)}>`],
    [`<${'a'.repeat(997)}>`, null],
    [`<${'ä'.repeat(499)}>`, null],
  ])('%j is %j', (value, id) => {
    expect(messageId(value)).toBe(id);
  });

  test.each([
    ['<a@b><c@d>\r\n <e@f>', ['<a@b>', '<c@d>', '<e@f>']],
    ['Your message of Monday <a@b>', ['<a@b>']],
    ['a@b c@d', ['<a@b>', '<c@d>']],
    ['a@b, (c@d) e@f', ['<a@b>', '<e@f>']],
    ['Your message of Monday', []],
    [`<${'x'.repeat(1000)}@y> <a@b>`, ['<a@b>']],
    ['< <a@b> >', ['<a@b>']],
  ])('of a list %j are %j', (value, ids) => {
    expect(messageIds(value)).toEqual(ids);
  });

  test('are the first ten and the last ninety of a long conversation, each once, without the own', () => {
    const ids = Array.from({ length: 300 }, (_, index) => `<${index}@b>`);
    expect(referencesOf(ids, ['<new@b>'], '<own@b>')).toEqual([...ids.slice(0, 10), ...ids.slice(211), '<new@b>']);
    expect(referencesOf(['<a@b>', '<own@b>', '<a@b>'], ['<a@b>', '<c@d>'], '<own@b>')).toEqual(['<a@b>', '<c@d>']);
    expect(referencesOf(ids.slice(0, 100), [], '<own@b>')).toEqual(ids.slice(0, 100));
  });
});

describe('the date', () => {
  const now = Date.UTC(2026, 0, 1);
  test.each([
    ['Mon, 3 Nov 2025 10:12:13 +0100', '2025-11-03T09:12:13.000Z'],
    ['3 Nov 2025 10:12 GMT', '2025-11-03T10:12:00.000Z'],
    ['Mon, 03 Nov 25 10:12:13 EST (New York)', '2025-11-03T15:12:13.000Z'],
    ['Mon, 3 Nov 2025 10:12:60 -0330', '2025-11-03T13:42:59.000Z'],
    ['Monday, 03-November-2025 10:12:13 UTC', '2025-11-03T10:12:13.000Z'],
    ['Mon Nov  3 10:12:13 2025', '2025-11-03T10:12:13.000Z'],
    ['Mon Nov  3 10:12:13 CET 2025', '2025-11-03T10:12:13.000Z'],
    ['2025-11-03T10:12:13Z', '2025-11-03T10:12:13.000Z'],
    ['2025-11-03 10:12:13', '2025-11-03T10:12:13.000Z'],
    ['3 Nov 99 10:12:13 +0000', '1999-11-03T10:12:13.000Z'],
    ['Fri, 2 Jan 2026 00:00:00 +0000', '2026-01-02T00:00:00.000Z'],
  ])('%s', (header, iso) => {
    expect(sentAtOf(header, now)?.toISOString()).toBe(iso);
  });

  test.each([
    null,
    '',
    'yesterday',
    'Mon, 31 Feb 2025 10:12:13 +0000',
    'Mon, 3 Foo 2025 10:12:13 +0000',
    '3 Nov 2025 25:00:00 +0000',
    'Thu, 1 Jan 1970 00:00:00 +0000',
    'Fri, 2 Jan 2026 00:00:01 +0000',
    '3 Nov 9999 10:12:13 +0000',
    '12345',
    'Message 7',
    'x'.repeat(1000),
  ])('%j is none', (header) => {
    expect(sentAtOf(header, now)).toBeNull();
  });

  test('never fails, and is never absurd', () => {
    const pieces = fc.constantFrom(
      'Mon,',
      ' ',
      '3',
      '31',
      'Feb',
      'Nov',
      '2025',
      '99',
      '10:12',
      ':13',
      '+0100',
      '-9999',
      'EST',
      '(',
      ')',
      '-',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (list) => {
        const time = sentAtOf(list.join(''), now)?.getTime() ?? now;
        expect(time).toBeGreaterThanOrEqual(Date.UTC(1980, 0, 1));
        expect(time).toBeLessThanOrEqual(now + 86_400_000);
      }),
      { numRuns: 1000 },
    );
  });
});

test('comments go, what only looks like one stays', () => {
  expect(withoutComments('a (b (c) \\) d) e')).toBe('a   e');
  expect(withoutComments('a ) b (c')).toBe('a ) b (c');
});
