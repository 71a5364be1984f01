import { describe, expect, test } from 'vitest';
import { authenticateApiKey } from '@/server/platform/auth/api-key';
import { readSession } from '@/server/platform/auth/session';
import { pool } from '@/server/platform/db/pool';
import { publishPost } from '@/server/testing/blog';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createFullBusiness } from '@/server/testing/full-business';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { createApiKey } from '../api-keys/api-key.service';
import { showFeed } from '../calendar/feed.service';
import { getIdentity } from '../identity/identity.service';
import { createOwnIdentityInput } from './account.schema';
import { getAccount, switchIdentity } from './account.service';
import { eraseIdentities } from './erasure.service';
import { createOwnIdentity, deleteIdentity, getIdentityContents } from './owned-identity.service';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

let filled = 0;

const createFilled = () => createFullBusiness(`full-${++filled}`);

/** Rows of an identity by table, for every table with a column `identity_id`, including future ones. */
async function rowsByTable(identityId: string): Promise<Record<string, number>> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'identity_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool().query(`SELECT count(*)::int AS count FROM ${name} WHERE identity_id = $1`, [identityId]);
      return [name, rows[0].count as number] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** Rows of every table there is. */
async function allRows(): Promise<Record<string, number>> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool().query(`SELECT count(*)::int AS count FROM ${name}`);
      return [name, rows[0].count as number] as const;
    }),
  );
  return Object.fromEntries(counts);
}

/** Erases deleted businesses as the job does, those included that were deleted this very moment. */
async function eraseAll(): Promise<void> {
  await pool().query(`UPDATE identities SET erased_at = erased_at - interval '1 hour' WHERE erased_at IS NOT NULL`);
  await eraseIdentities();
}

const confirmation = ({ handle }: TestIdentity) => ({ handle });

describe('deleting a business', () => {
  test('says what goes with it', async () => {
    const desk = await createFilled();
    expect(await getIdentityContents(desk.actor)).toEqual({
      handle: desk.handle,
      displayName: expect.stringContaining(desk.known.marker),
      customers: 1,
      conversations: 2,
      posts: 1,
      events: 1,
      agents: 2,
      apiKeys: 2,
    });
  });

  test('counts only the keys that still open the API', async () => {
    const { actor, identityId } = await createTestIdentity();
    for (const name of ['Working', 'Revoked', 'Expired']) await createApiKey(actor, { name, expiresAt: null });
    const change = (name: string, set: string) =>
      pool().query(`UPDATE api_keys SET ${set} WHERE identity_id = $1 AND name = $2`, [identityId, name]);
    const before = await getIdentityContents(actor);
    await change('Revoked', 'revoked_at = now()');
    await change('Expired', `expires_at = now() - interval '1 minute'`);
    expect((await getIdentityContents(actor)).apiKeys).toBe(before.apiKeys - 2);
  });

  test('takes everything of it along, in every table, and nothing of another', async () => {
    const [desk, other] = [await createFilled(), await createFilled()];
    const before = await rowsByTable(desk.identityId);
    const missing = Object.entries(before).filter(([, count]) => count === 0);
    expect(missing, 'tables this test knows nothing of').toEqual([]);
    const untouched = await rowsByTable(other.identityId);
    await deleteIdentity(desk.actor, confirmation(desk));
    await eraseAll();
    const left = Object.entries(await rowsByTable(desk.identityId)).filter(([, count]) => count > 0);
    expect(left).toEqual([]);
    expect(await rowsByTable(other.identityId)).toEqual(untouched);
    await expect(getIdentity(desk.actor)).rejects.toMatchObject({ code: 'identity_not_found' });
  });

  test('leaves nothing in any table but what is its owner’s', async () => {
    const before = await allRows();
    const desk = await createFilled();
    await deleteIdentity(desk.actor, confirmation(desk));
    await eraseAll();
    const after = await allRows();
    const grown = Object.keys(after).filter((table) => after[table] !== before[table]);
    // The account, what it was told and may do, its log, and the domain it had proven.
    const ownersTables = [
      'users',
      'sessions',
      'passkeys',
      'push_subscriptions',
      'security_events',
      'outbox_mails',
      'account_audit_entries',
      'audit_entries',
      'domain_proofs',
      'owner_mail_days',
      'sign_in_throttle',
      'blog_image_files',
      // Those of the mail to the account.
      'jobs',
    ];
    const jobs = await queryAsOwner('SELECT kind FROM jobs WHERE strpos(payload::text, $1) > 0', [desk.identityId]);
    expect(jobs).toEqual([]);
    expect(grown.filter((table) => !ownersTables.includes(table))).toEqual([]);
    expect(Object.values(await rowsByTable(desk.identityId)).every((count) => count === 0)).toBe(true);
  });

  test('hides it from everybody at once, though the rows go later', async () => {
    const desk = await createFilled();
    const { key, actor } = desk;
    const { address } = desk.known;
    await pool().query(`UPDATE outbox_mails SET state = 'queued' WHERE identity_id = $1`, [desk.identityId]);
    const feed = await showFeed(actor);
    await deleteIdentity(actor, confirmation(desk));
    expect((await rowsByTable(desk.identityId)).customers).toBe(1);
    expect((await call('GET', '/api/v1/identity', { key })).status).toBe(401);
    expect((await call('GET', new URL(feed.url ?? '').pathname)).status).toBe(404);
    expect((await call('GET', `/blog/${desk.handle}`)).status).toBe(404);
    await expect(getIdentity(actor)).rejects.toMatchObject({ code: 'identity_not_found' });
    await expect(getIdentityContents(actor)).rejects.toMatchObject({ code: 'not_found' });
    await expect(switchIdentity(actor, desk.identityId)).rejects.toMatchObject({ code: 'not_found' });
    expect((await getAccount(actor)).identities).toEqual([]);
    expect((await rowsByTable(desk.identityId)).outbox_mails).toBe(0);
    await expect(deliver({}, { to: address })).rejects.toThrow();
  });

  test('is taken up again where it was interrupted', async () => {
    const desk = await createFilled();
    await deleteIdentity(desk.actor, confirmation(desk));
    const stopping = AbortSignal.abort(new Error('stopping'));
    await expect(eraseIdentities(stopping)).rejects.toThrow('stopping');
    expect((await rowsByTable(desk.identityId)).customers).toBe(1);
    await eraseIdentities();
    // A request that began before may still write; the identity stays for that long.
    await pool().query(
      `INSERT INTO usage_days (identity_id, day, slice, shard, agent_id, model, operation, tokens, executions)
        VALUES ($1, now(), gen_random_uuid(), gen_random_uuid(), '', '', '', 1, 0)`,
      [desk.identityId],
    );
    await eraseAll();
    expect(Object.values(await rowsByTable(desk.identityId)).every((count) => count === 0)).toBe(true);
    expect((await pool().query('SELECT 1 FROM identities WHERE id = $1', [desk.identityId])).rows).toEqual([]);
  });

  test('is in the owner’s log, as one thing', async () => {
    const desk = await createFilled();
    await deleteIdentity(desk.actor, confirmation(desk));
    const { rows } = await pool().query(
      `SELECT resource, resource_id, label, action, author_kind, author_id FROM account_audit_entries
        WHERE user_id = $1 AND action = 'deleted'`,
      [desk.owner.userId],
    );
    expect(rows).toEqual([
      {
        resource: 'identity',
        resource_id: desk.identityId,
        label: desk.handle,
        action: 'deleted',
        author_kind: 'owner',
        author_id: desk.owner.userId,
      },
    ]);
  });

  test('leaves no page of its blog, not even one that was shown a moment ago', async () => {
    const desk = await createTestIdentity();
    await publishPost(desk.actor, { title: 'Wet brakes' });
    const page = () => call('GET', `/blog/${desk.handle}`);
    expect((await page()).status).toBe(200);
    expect((await page()).text).toContain('Wet brakes');
    await deleteIdentity(desk.actor, confirmation(desk));
    expect((await page()).status).toBe(404);
    expect((await page()).text).not.toContain('Wet brakes');
  });

  test('ends its keys, and leaves its owner signed in to no business', async () => {
    const identity = await createTestIdentity();
    const cookie = await sessionCookieOf(identity);
    await deleteIdentity(identity.actor, confirmation(identity));
    await expect(authenticateApiKey(`Bearer ${identity.key}`)).rejects.toMatchObject({ code: 'invalid_key' });
    expect(await readSession(cookie)).toMatchObject({ userId: identity.owner.userId, identityId: null });
  });

  test('frees its addresses and its domains for others', async () => {
    const identity = await createTestIdentity({ address: 'hello@freed.example' });
    await pool().query(
      `INSERT INTO domain_proofs (owner_user_id, domain, token, proven_at) VALUES ($1, 'freed.example', 'x', now())`,
      [identity.owner.userId],
    );
    const wanted = { address: 'sales@freed.example', whitelist: [{ handle: 'hello', address: 'hello@freed.example' }] };
    await expect(createTestIdentity(wanted)).rejects.toMatchObject({ code: 'conflict' });
    await deleteIdentity(identity.actor, confirmation(identity));
    const next = await createTestIdentity(wanted);
    expect((await deliver({}, { to: 'inbox-manager@freed.example' })).identityId).toBe(next.identityId);
  });

  test('needs its own handle', async () => {
    const [identity, other] = [await createTestIdentity(), await createTestIdentity()];
    await expect(deleteIdentity(identity.actor, confirmation(other))).rejects.toMatchObject({
      details: { fields: { handle: expect.any(String) } },
    });
    expect((await getIdentity(identity.actor)).handle).toBe(identity.handle);
  });

  test('of somebody else’s is not found', async () => {
    const [one, two] = [await createTestIdentity(), await createTestIdentity()];
    const actor = { ...one.actor, identityId: two.identityId };
    await expect(getIdentityContents(actor)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteIdentity(actor, confirmation(two))).rejects.toMatchObject({ code: 'not_found' });
    expect((await getIdentity(two.actor)).handle).toBe(two.handle);
  });

  test('twice at the same time works once, and mail that arrives meanwhile is in nobody’s way', async () => {
    const desk = await createFilled();
    const [, ...deletions] = await Promise.allSettled([
      deliver({}, { to: desk.known.address }),
      ...Array.from({ length: 3 }, () => deleteIdentity(desk.actor, confirmation(desk))),
    ]);
    expect(deletions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await eraseAll();
    expect(Object.values(await rowsByTable(desk.identityId)).every((count) => count === 0)).toBe(true);
  });
});

describe('one more business', () => {
  const wanted = (handle: string) => createOwnIdentityInput.parse({ handle, displayName: ' Second business ' });

  test('is the owner’s, on the free plan, with an agent, and the one this browser looks at next', async () => {
    const { actor, owner, handle } = await createTestIdentity();
    const { identityId, cookie } = await createOwnIdentity(actor, wanted(`${handle}-2`));
    expect(cookie).toContain(identityId);
    const { rows } = await pool().query(
      `SELECT i.display_name, i.plan, i.scope, i.owner_user_id, count(a.id)::int AS agents
        FROM identities i LEFT JOIN agents a ON a.identity_id = i.id WHERE i.id = $1 GROUP BY i.id`,
      [identityId],
    );
    expect(rows).toEqual([
      { display_name: 'Second business', plan: 'free', scope: 'business', owner_user_id: owner.userId, agents: 1 },
    ]);
  });

  test('with a handle that is taken is refused at its field', async () => {
    const { actor, handle } = await createTestIdentity();
    await expect(createOwnIdentity(actor, wanted(handle))).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: { handle: expect.any(String) } },
    });
  });

  test('after the last one was deleted is the first again', async () => {
    const identity = await createTestIdentity();
    await deleteIdentity(identity.actor, confirmation(identity));
    const newcomer = { ...identity.actor, identityId: null };
    const { identityId } = await createOwnIdentity(newcomer, wanted(identity.handle));
    expect(await readSession(await sessionCookieOf(identity))).toMatchObject({ identityId });
  });

  test('ends at twenty, also for many at the same time', async () => {
    const { actor, owner, handle } = await createTestIdentity();
    await pool().query(
      `INSERT INTO identities (id, handle, owner_user_id)
        SELECT gen_random_uuid(), $1 || '-' || n, $2 FROM generate_series(1, 18) n`,
      [handle, owner.userId],
    );
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => createOwnIdentity(actor, wanted(`${handle}-x${i}`))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' });
  });

  test.each([{ handle: 'Not Ok' }, { handle: 'x' }, { displayName: ' ' }])('wants more than %j', (changes) => {
    const input = { handle: 'good-1', displayName: 'Good', ...changes };
    expect(createOwnIdentityInput.safeParse(input).success).toBe(false);
  });
});
