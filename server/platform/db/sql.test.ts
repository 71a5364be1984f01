import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { pool } from './pool';
import { escapeLike, rows, toIsoTime } from './sql';
import { transaction } from './transaction';

withFreshDatabase();

const author = { kind: 'system', cause: 'upkeep' } as const;

describe('escaping for LIKE', () => {
  test('takes the meaning from %, _ and \\, and from nothing else', () => {
    expect(escapeLike('50%_\\a*?.')).toBe('50\\%\\_\\\\a*?.');
    expect(escapeLike('')).toBe('');
  });

  test('PostgreSQL finds the text itself, and only where it stands', async () => {
    const text = fc.string({ unit: fc.constantFrom('%', '_', '\\', 'a', 'B', "'", '"', 'ä', '😀'), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(text, text, async (haystack, needle) => {
        const [row] = await rows<{ found: boolean }>(pool(), {
          text: 'SELECT $1::text LIKE $2 AS found',
          values: [haystack, `%${escapeLike(needle)}%`],
        });
        expect(row?.found).toBe(haystack.includes(needle));
      }),
      { numRuns: 300 },
    );
  });
});

describe('times as ISO 8601', () => {
  test.each([
    ['2026-11-21 09:30:00+00', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21 09:30:00.5+00', '2026-11-21T09:30:00.500Z'],
    ['2026-11-21 09:30:00.123+00', '2026-11-21T09:30:00.123Z'],
    ['2026-11-21 09:30:00.123456+00', '2026-11-21T09:30:00.123Z'],
    ['2026-11-21 15:00:00.007+05:30', '2026-11-21T09:30:00.007Z'],
  ])('%s is %s', (text, iso) => {
    expect(toIsoTime(text)).toBe(iso);
  });

  test('are what a Date would say, in any time zone of the session', async () => {
    const statement = { text: `SELECT '2026-11-21T09:30:00.12Z'::timestamptz(3) AS at`, values: [] };
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
      await transaction(author, async (client) => {
        await client.query(`SET LOCAL TIME ZONE '${zone}'`);
        const [asDate] = await rows<{ at: Date }>(client, statement);
        const [asText] = await rows<{ at: string }>(client, { ...statement, isoTimes: true });
        expect(asText?.at).toBe(asDate?.at.toISOString());
      });
    }
  });
});
