import { beforeEach, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { overrideEnv } from '@/server/platform/env';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { removals } from '@/server/registry';
import { changeTestEvent, createTestEvent } from '@/server/testing/calendar';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { unaudited } from '@/server/testing/examples';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { setPasswordByEmail } from '../accounts/account.service';
import { createAgent } from '../agents/agent.service';
import { updateEscalationInput } from '../agents/escalation.schema';
import { updateEscalation } from '../agents/escalation.service';
import { revokeApiKey } from '../api-keys/api-key.service';
import { createBlogPostInput, updateBlogPostInput } from '../blog/blog-post.schema';
import { createBlogPost, updateBlogPost } from '../blog/blog-post.service';
import { deleteEvent } from '../calendar/event-deletion.service';
import { replyInput } from '../conversations/message.schema';
import { replyTo } from '../conversations/reply.service';
import { createCustomerInput } from '../customers/customer.schema';
import { createCustomer, deleteCustomer, updateCustomer } from '../customers/customer.service';
import { auditedResources, listAuditInput } from './audit.schema';
import { listAudit } from './audit.service';

withFreshDatabase();

let identity: TestIdentity;

beforeEach(async () => {
  identity = await createTestIdentity();
});

const log = async (filters: Parameters<typeof listAuditInput.parse>[0] = {}, of = identity) =>
  (await listAudit(of.actor, listAuditInput.parse(filters))).entries;

const newCustomer = (email = 'ann@x.io') => createCustomerInput.parse({ company: 'Quark', contacts: [{ email }] });

describe('an entry', () => {
  test('says who changed what, from what to what, when and in which request', async () => {
    const { actor: owner, apiKeyActor: key } = identity;
    const customer = await createCustomer({ ...owner, request: { requestId: 'req-1' } }, newCustomer());
    const change = { id: customer.id, company: 'Quark Labs', tags: ['vip'] };
    await updateCustomer({ ...key, request: { requestId: 'req-2' } }, change);
    const [changed, created] = await log({ resource: 'customer' });
    expect(changed).toMatchObject({
      author: { kind: 'key', id: identity.apiKeyActor.apiKeyId, name: 'Test key' },
      agent: null,
      requestId: 'req-2',
      resourceId: customer.id,
      label: 'Quark Labs',
      action: 'updated',
      changes: [
        { field: 'company', before: 'Quark', after: 'Quark Labs' },
        { field: 'tags', before: [], after: ['vip'] },
      ],
    });
    expect(Math.abs(Date.parse(changed?.occurredAt ?? '') - Date.now())).toBeLessThan(60_000);
    expect(created).toMatchObject({
      author: { kind: 'owner', id: identity.owner.userId, name: identity.owner.email },
      requestId: 'req-1',
      action: 'created',
      changes: [{ field: 'company', before: null, after: 'Quark' }],
    });
  });

  test('names a customer without a company by its contact', async () => {
    const contacts = [{ email: 'bo@x.io', displayName: ' Bo ' }, { email: 'ann@x.io' }];
    const nameless = createCustomerInput.parse({ contacts });
    const { id } = await createCustomer(identity.actor, nameless);
    expect((await log({ resource: 'customer' }))[0]).toMatchObject({ resourceId: id, label: 'Bo' });
    await deleteCustomer(identity.actor, id);
    expect((await log({ resource: 'customer' }))[0]).toMatchObject({ action: 'deleted', label: '' });
  });

  test('stays when the thing is gone, with what it was', async () => {
    const { id } = await createCustomer(identity.actor, newCustomer());
    await deleteCustomer(identity.actor, id);
    const [entry] = await log({ resource: 'customer' });
    expect(entry).toMatchObject({
      action: 'deleted',
      label: 'Quark',
      changes: [{ field: 'company', before: 'Quark', after: null }],
    });
    expect(await log({ resourceId: id, resource: 'contact' })).toMatchObject([{ action: 'updated' }, { action: 'created' }]);
  });

  test('is not written for a change that is undone, nor for one that changes nothing', async () => {
    const { id } = await createCustomer(identity.actor, newCustomer());
    const before = await log();
    await updateCustomer(identity.actor, { id, company: 'Quark' });
    const undone = transaction(identity.actor, async (client) => {
      await client.query('DELETE FROM customers WHERE id = $1', [id]).catch(() => undefined);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await log()).toEqual(before);
  });

  test('holds no secret, and of long texts the beginning', async () => {
    await setPasswordByEmail({ email: identity.owner.email, password: 'another long password' });
    const post = createBlogPostInput.parse({ title: 'Long', content: 'x'.repeat(50_000), authorName: 'Ann' });
    const { id } = (await createBlogPost(identity.actor, post)).data.post;
    await updateBlogPost(identity.actor, updateBlogPostInput.parse({ postId: id, content: 'y'.repeat(50_000) }));
    const entries = await log({ limit: 100 });
    const text = JSON.stringify(entries);
    expect(text).toContain('•••');
    expect(text).not.toMatch(/argon2|\\\\x[0-9a-f]{20}/);
    expect(text).not.toContain(identity.key.slice(12, -4));
    expect(text.length).toBeLessThan(20_000);
    expect(entries.find(({ resource }) => resource === 'account')).toMatchObject({
      changes: [{ field: 'passwordHash', before: '•••', after: '•••' }],
    });
  });

  test('holds no password of a meeting, where it was set, changed or spelled out, and of links the rest', async () => {
    const password = 'Harbour-4711';
    const event = await createTestEvent(identity.actor, {
      virtualMeeting: { provider: 'zoom', url: `https://zoom.us/j/123?pwd=${password}&from=mail#p=${password}`, password },
      location: `https://ann:${password}@meet.example/room?passcode=${password}`,
      description: `Join us.\nPasscode: ${password}\nhttps://teams.example/l/1?p=${password}&x=1`,
    });
    await changeTestEvent(identity.actor, event.id, {
      virtualMeeting: { provider: 'zoom', url: 'https://zoom.us/j/123', password: `${password}-b` },
    });
    await deleteEvent(identity.actor, event.id);
    const entries = await log({ resource: 'event' });
    expect(entries.map(({ action }) => action)).toEqual(['deleted', 'updated', 'created']);
    expect(JSON.stringify(entries)).not.toContain(password);
    const created = Object.fromEntries(entries[2]?.changes.map(({ field, after }) => [field, after]) ?? []);
    expect(created).toMatchObject({
      virtualMeeting: { provider: 'zoom', url: 'https://zoom.us/j/123?pwd=•••&from=mail#p=•••', password: '•••' },
      location: 'https://•••@meet.example/room?passcode=•••',
      description: 'Join us.\nPasscode: •••\nhttps://teams.example/l/1?p=•••&x=1',
    });
    // The log still shows that the password changed.
    expect(entries[1]?.changes).toMatchObject([{ field: 'virtualMeeting', after: { password: '•••' } }]);
  });

  test('names the agent a message was sent as, and the system for incoming email', async () => {
    const { conversationId } = await deliver({}, { to: `inbox-manager@${identity.handle}.localhost` });
    const agent = await createAgent(identity.actor, { name: 'Helper', roleId: 'helper', kind: 'assistant' });
    await replyTo(identity.apiKeyActor, replyInput.parse({ conversationId, text: 'Hello', agentId: agent.id }));
    const [sent, received] = await log({ resource: 'message' });
    expect(sent).toMatchObject({ author: { kind: 'key' }, agent: { id: agent.id, name: 'Helper' }, parentId: conversationId });
    expect(received).toMatchObject({ author: { kind: 'system', name: 'mail' }, agent: null, action: 'created' });
    expect(await log({ author: 'agent' })).toMatchObject([{ id: sent?.id }]);
    expect(JSON.stringify([sent, received])).not.toContain('Hello');
  });

  test('tells routes that stay from those that are new', async () => {
    const { id: agentId } = await createAgent(identity.actor, { name: 'Helper', roleId: 'helper', kind: 'assistant' });
    const route = (level: number, timeoutMins: number) => ({ level, timeoutMins, channels: ['email' as const] });
    await updateEscalation(identity.actor, updateEscalationInput.parse({ agentId, routes: [route(1, 30), route(2, 60)] }));
    const before = await log();
    await updateEscalation(identity.actor, updateEscalationInput.parse({ agentId, routes: [route(1, 30), route(3, 90)] }));
    const entries = (await log()).slice(0, -before.length).filter(({ resource }) => resource === 'escalation_route');
    expect(entries.map(({ action, resourceId, parentId }) => [action, resourceId, parentId]).sort()).toEqual([
      ['created', '3', agentId],
      ['deleted', '2', agentId],
    ]);
  });

  test('of an event that goes is one: its invitees are part of it', async () => {
    const event = await createTestEvent(identity.actor, { invitees: [{ email: 'ann@x.io' }, { email: 'bob@x.io' }] });
    const before = await log({ limit: 100 });
    await deleteEvent(identity.actor, event.id);
    const after = await log({ limit: 100 });
    expect(after.slice(0, after.length - before.length)).toMatchObject([{ resource: 'event', action: 'deleted' }]);
  });

  test('tells what was changed past the service from everything else', async () => {
    const { id } = await createCustomer(identity.actor, newCustomer());
    await pool().query(`UPDATE customers SET company = 'By hand' WHERE id = $1`, [id]);
    expect((await log({ resource: 'customer' }))[0]).toMatchObject({ author: { kind: 'database', id: null, name: null } });
  });
});

describe('the log', () => {
  test('is of this identity and its owner’s account, and of nobody else', async () => {
    const stranger = await createTestIdentity();
    await createCustomer(identity.actor, newCustomer());
    await createTestEvent(stranger.actor, { invitees: [{ email: 'ann@x.io' }] });
    const [mine, theirs] = [await log({ limit: 100 }), await log({ limit: 100 }, stranger)];
    expect(theirs.map(({ resource }) => resource)).toContain('event');
    expect(mine.map(({ resource }) => resource)).not.toContain('event');
    expect(mine.map(({ resource }) => resource)).toEqual(expect.arrayContaining(['customer', 'contact', 'account', 'api_key']));
    expect(mine.filter(({ id }) => theirs.some((entry) => entry.id === id))).toEqual([]);
    expect(JSON.stringify(mine)).not.toContain(stranger.handle);
  });

  test('finds by each filter', async () => {
    const { apiKeyActor: key } = identity;
    const { id } = await createCustomer({ ...key, request: { requestId: 'req-9' } }, newCustomer());
    await revokeApiKey(identity.actor, identity.apiKeyActor.apiKeyId);
    expect(await log({ requestId: 'req-9' })).toHaveLength(2);
    const request = { requestId: 'req-10', clientRequestId: 'theirs' };
    await updateCustomer({ ...key, request }, { id, company: 'Renamed' });
    for (const requestId of ['req-10', 'theirs']) {
      expect(await log({ requestId })).toMatchObject([{ requestId: 'req-10', clientRequestId: 'theirs', action: 'updated' }]);
    }
    expect(await log({ apiKeyId: identity.apiKeyActor.apiKeyId })).toHaveLength(3);
    expect(await log({ author: 'owner', action: 'updated' })).toMatchObject([{ resource: 'api_key' }]);
    expect((await log({ resourceId: id })).map(({ resource }) => resource).sort()).toEqual(['contact', 'customer', 'customer']);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await log({ from: later })).toEqual([]);
    expect((await log({ to: later })).length).toBeGreaterThan(2);
    for (const resource of auditedResources) {
      expect((await log({ resource })).every((entry) => entry.resource === resource)).toBe(true);
    }
  });

  test('is searched a part at a time', async () => {
    await queryAsOwner(
      `INSERT INTO audit_entries (identity_id, author_kind, resource, resource_id, label, action)
       SELECT $1, 'system', 'event', gen_random_uuid()::text, CASE WHEN n = 1 THEN 'Needle' ELSE 'Hay' END, 'created'
       FROM generate_series(1, 20001) n ORDER BY n`,
      [identity.identityId],
    );
    const first = await listAudit(identity.actor, listAuditInput.parse({ search: 'needle' }));
    expect(first).toMatchObject({ entries: [], next: expect.any(String), retentionDays: 365 });
    const older = await listAudit(identity.actor, listAuditInput.parse({ search: 'needle', before: first.next ?? '' }));
    expect(older).toMatchObject({ entries: [{ label: 'Needle' }], next: null });
  });

  test('comes in pages, newest first, without gaps', async () => {
    for (let number = 0; number < 7; number++) await createCustomer(identity.actor, newCustomer(`p${number}@x.io`));
    const whole = await log({ limit: 100 });
    const paged: typeof whole = [];
    for (let before: string | undefined; ; ) {
      const page = await listAudit(identity.actor, listAuditInput.parse({ limit: 4, before }));
      paged.push(...page.entries);
      if (page.next === null) break;
      before = page.next;
    }
    expect(paged).toEqual(whole);
    expect(whole.map(({ id }) => Number(id))).toEqual(whole.map(({ id }) => Number(id)).sort((a, b) => b - a));
  });

  test('is kept as long as the settings say', async () => {
    await createCustomer(identity.actor, newCustomer());
    const count = async () => (await log({ limit: 100 })).length;
    const before = await count();
    await queryAsOwner(
      `UPDATE audit_entries SET occurred_at = now() - interval '40 days' WHERE identity_id = $1 AND resource = 'customer'`,
      [identity.identityId],
    );
    await removeExpired(removals);
    expect(await count()).toBe(before);
    overrideEnv({ AUDIT_RETENTION_DAYS: 30 });
    expect(await listAudit(identity.actor, listAuditInput.parse({}))).toMatchObject({ retentionDays: 30 });
    await removeExpired(removals);
    overrideEnv({ AUDIT_RETENTION_DAYS: 365 });
    expect(await count()).toBe(before - 1);
  });

  /** Of no feature, and changed by no person. */
  const ofPlatform = ['_prisma_migrations', 'idempotent_requests', 'job_workers', 'jobs'];

  test('knows every table that people change', async () => {
    const tables = await rows<{ name: string }>(pool(), {
      text: `SELECT c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname LIKE '%_audited')`,
      values: [],
    });
    expect(tables.map(({ name }) => name).sort()).toEqual([...unaudited, ...ofPlatform].sort());
  });
});
