import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { pool } from './pool';
import { escapeLike, rows, toIsoTime, transaction, violatedConstraint } from './sql';

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

describe('a transaction', () => {
  const insert = (email: string) => ({
    text: `INSERT INTO users (id, email, password_hash) VALUES (gen_random_uuid(), $1, 'x')`,
    values: [email],
  });
  const count = async (email: string) => {
    const [row] = await rows<{ count: string }>(pool(), { text: 'SELECT count(*) FROM users WHERE email = $1', values: [email] });
    return Number(row?.count);
  };

  test('keeps all or nothing', async () => {
    const broken = transaction(author, async (client) => {
      await client.query(insert('nothing@x.example'));
      throw new Error('changed my mind');
    });
    await expect(broken).rejects.toThrow('changed my mind');
    expect(await count('nothing@x.example')).toBe(0);
    expect(await transaction(author, async (client) => (await client.query(insert('all@x.example'))).rowCount)).toBe(1);
    expect(await count('all@x.example')).toBe(1);
  });

  test.each(['40001', '40P01'])('is repeated after %s, a few times', async (code) => {
    let runs = 0;
    const result = await transaction(author, async (client) => {
      runs++;
      await client.query(insert(`again-${code}@x.example`));
      if (runs < 3) throw Object.assign(new Error('again'), { code });
      return runs;
    });
    expect(result).toBe(3);
    expect(await count(`again-${code}@x.example`)).toBe(1);

    runs = 0;
    const hopeless = transaction(author, async () => {
      runs++;
      throw Object.assign(new Error('never'), { code });
    });
    await expect(hopeless).rejects.toThrow('never');
    expect(runs).toBe(5);
  });

  test('is not repeated after anything else, and names the violated constraint', async () => {
    let runs = 0;
    const twice = transaction(author, async (client) => {
      runs++;
      await client.query(insert('twice@x.example'));
      await client.query(insert('twice@x.example'));
    });
    const error = await twice.catch((caught: unknown) => caught);
    expect(violatedConstraint(error)).toBe('users_email_key');
    expect(runs).toBe(1);
    expect(violatedConstraint(new Error('no'))).toBeUndefined();
    expect(violatedConstraint({ code: '42601', constraint: 'x' })).toBeUndefined();
  });

  test('gives its connection back, also one that broke', async () => {
    for (let i = 0; i < 15; i++) {
      const broken = transaction(author, (client) => client.query('SELECT pg_terminate_backend(pg_backend_pid())'));
      await expect(broken).rejects.toThrow();
    }
    await Promise.all(Array.from({ length: 30 }, () => transaction(author, (client) => client.query('SELECT 1'))));
    expect(pool().waitingCount).toBe(0);
  });

  test('really deadlocked with another, both come through', async () => {
    await transaction(author, async (client) => {
      await client.query(insert('left@x.example'));
      await client.query(insert('right@x.example'));
    });
    let arrived = 0;
    let release = () => {};
    const bothAreThere = new Promise<void>((resolve) => {
      release = resolve;
    });
    const touch = (first: string, second: string) =>
      transaction(author, async (client) => {
        const update = (email: string) =>
          client.query('UPDATE users SET session_epoch = session_epoch + 1 WHERE email = $1', [email]);
        await update(first);
        if (++arrived === 2) release();
        await bothAreThere;
        await update(second);
      });
    await Promise.all([touch('left@x.example', 'right@x.example'), touch('right@x.example', 'left@x.example')]);
    const epochs = await rows<{ session_epoch: number }>(pool(), {
      text: `SELECT session_epoch FROM users WHERE email IN ('left@x.example', 'right@x.example')`,
      values: [],
    });
    expect(epochs.map((row) => row.session_epoch)).toEqual([2, 2]);
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
