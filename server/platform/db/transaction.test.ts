import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { within } from '@/server/testing/patience';
import { pool } from './pool';
import { rows, violatedConstraint } from './sql';
import { timeLimits } from './time-limits';
import { inOnePacket, inSavepoint, prismaTransaction, runWithCommit, transaction } from './transaction';

/** Where a deadlock is found late, on a busy machine, the other transaction would also have waited for too long. */
const { request, job } = timeLimits;
const locks = [request.lock, job.lock];
beforeAll(() => {
  for (const limits of [request, job]) Object.assign(limits, { lock: within(5) });
});
afterAll(() => {
  [request, job].forEach((limits, index) => void Object.assign(limits, { lock: locks[index] }));
});

withFreshDatabase();

const author = { kind: 'system', cause: 'upkeep' } as const;

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

  test('keeps nothing if a statement fails that goes with its COMMIT', async () => {
    const [first, last] = ['first@x.example', 'last@x.example'];
    const write = (...emails: string[]) =>
      transaction(author, async (client) => {
        await client.query(insert(first));
        for (const email of emails) await runWithCommit(client, insert(email));
        expect(await count(last)).toBe(0);
        return emails.length;
      });
    const error = await write(last, first).catch((caught: unknown) => caught);
    expect(violatedConstraint(error)).toBe('users_email_key');
    expect([await count(first), await count(last)]).toEqual([0, 0]);
    // The connection is as it was.
    await expect(write(first)).rejects.toThrow();
    expect(await write(last)).toBe(1);
    expect([await count(first), await count(last)]).toEqual([1, 1]);
  });

  test('can undo a part of itself, with what that part left to the COMMIT', async () => {
    const [kept, undone, later] = ['kept@x.example', 'undone@x.example', 'later@x.example'];
    await transaction(author, async (client) => {
      await runWithCommit(client, insert(kept));
      const part = inSavepoint(client, async () => {
        await client.query(insert(undone));
        await runWithCommit(client, insert(later));
        throw new Error('no room');
      });
      await expect(part).rejects.toThrow('no room');
    });
    expect([await count(kept), await count(undone), await count(later)]).toEqual([1, 0, 0]);
  });

  test('tells of the first statement of a packet that failed', async () => {
    const packet = transaction(author, (client) =>
      inOnePacket(client, () => [client.query('SELECT 1/0'), client.query('SELECT 1')] as const),
    );
    await expect(packet).rejects.toMatchObject({ code: '22012' });
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
    expect(pool().load().waiting).toBe(0);
  });
});

type Update = (email: string, by: number) => Promise<unknown>;
type Run = (work: (update: Update) => Promise<void>) => Promise<void>;

const text = 'UPDATE users SET session_epoch = session_epoch + $2 WHERE email = $1';

/** Sets the isolation level of new transactions on all connections. */
async function isolateAll(level: string): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool().options.max }, () => pool().connect()));
  for (const client of clients) {
    await client.query(`SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL ${level}`);
    client.release();
  }
}

/** The ways to change a row in a transaction: pg, and Prisma with a statement, a query or a model. */
const ways: [string, Run][] = [
  ['pg', (work) => transaction(author, (client) => work((email, by) => client.query(text, [email, by])))],
  ['raw SQL by Prisma', (work) => prismaTransaction(author, (tx) => work((email, by) => tx.$executeRawUnsafe(text, email, by)))],
  [
    'a raw query by Prisma',
    (work) => prismaTransaction(author, (tx) => work((email, by) => tx.$queryRawUnsafe(`${text} RETURNING 1`, email, by))),
  ],
  [
    'a model of Prisma',
    (work) =>
      prismaTransaction(author, (tx) =>
        work((email, by) => tx.user.update({ where: { email }, data: { sessionEpoch: { increment: by } } })),
      ),
  ],
];

let users = 0;

async function createUser(): Promise<string> {
  const email = `user-${++users}@x.example`;
  await pool().query(`INSERT INTO users (id, email, password_hash) VALUES (gen_random_uuid(), $1, 'x')`, [email]);
  return email;
}

async function epochOf(email: string): Promise<number | undefined> {
  const result = await pool().query<{ epoch: number }>('SELECT session_epoch AS epoch FROM users WHERE email = $1', [email]);
  return result.rows[0]?.epoch;
}

describe.each(
  ways.flatMap(([one, run], index) => ways.slice(index).map(([other, runOther]) => [one, other, run, runOther] as const)),
)('a deadlock of a transaction by %s and one by %s', (_one, _other, run, runOther) => {
  test('is over after a repetition, and both succeed', async () => {
    const [left, right] = [await createUser(), await createUser()];
    let runs = 0;
    let release = () => {};
    const bothAreThere = new Promise<void>((resolve) => {
      release = resolve;
    });
    const touch = (way: Run, first: string, second: string) =>
      way(async (update) => {
        await update(first, 1);
        if (++runs === 2) release();
        await bothAreThere;
        await update(second, 1);
      });
    await Promise.all([touch(run, left, right), touch(runOther, right, left)]);
    expect([await epochOf(left), await epochOf(right)]).toEqual([2, 2]);
    // Usually three: on a busy machine, both may find the deadlock.
    expect(runs).toBeGreaterThanOrEqual(3);
  });
});

describe.each(ways)('a transaction by %s', (_way, run) => {
  test.each(['40001', '40P01'])('is repeated after %s at COMMIT', async (code) => {
    const email = await createUser();
    // The sequence keeps its number when the transaction is undone: the first attempt fails, the second succeeds.
    await queryAsOwner(`CREATE SEQUENCE commits;
      GRANT USAGE ON SEQUENCE commits TO frontdesk_server, frontdesk_tenant;
      CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('commits') = 1 THEN RAISE EXCEPTION 'again' USING ERRCODE = '${code}'; END IF;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER users_fail_first AFTER UPDATE ON users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_first()`);
    try {
      await run(async (update) => {
        await update(email, 1);
      });
      expect(await epochOf(email)).toBe(1);
    } finally {
      await queryAsOwner('DROP TRIGGER users_fail_first ON users; DROP FUNCTION fail_first(); DROP SEQUENCE commits');
    }
  });

  test('is repeated after a serialization failure', async () => {
    const [mine, contended] = [await createUser(), await createUser()];
    await isolateAll('REPEATABLE READ');
    let runs = 0;
    await run(async (update) => {
      await update(mine, 1);
      if (++runs === 1) await pool().query(text, [contended, 10]);
      await update(contended, 1);
    });
    await isolateAll('READ COMMITTED');
    expect([await epochOf(mine), await epochOf(contended)]).toEqual([1, 11]);
    expect(runs).toBe(2);
  });
});
