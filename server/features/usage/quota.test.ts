import type pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { resendMail } from '@/server/features/mail/outbox-list.service';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { overrideEnv, parseEnv } from '@/server/platform/env';
import { createTestEvent, queuedMails } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { createTestIdentity } from '@/server/testing/identity';
import { findJob } from '@/server/testing/jobs';
import { deliver, mailBytes, receiveBytes } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { smallPicture } from '@/server/testing/small-picture';
import { eraseIdentities } from '../accounts/erasure.service';
import { deleteIdentity } from '../accounts/owned-identity.service';
import { uploadBlogImage } from '../blog/blog-image.service';
import { remindersJob, sendReminders } from '../calendar/reminder.service';
import { replyInput } from '../conversations/message.schema';
import { addNoteInput } from '../conversations/note.schema';
import { addNote } from '../conversations/note.service';
import { replyTo } from '../conversations/reply.service';
import { setPlan } from '../identity/identity.service';
import { listQuarantine, removeQuarantined } from '../mail/quarantine.service';
import { sendTestMail } from '../mail/test-mail.service';
import { countMails, getQuotaUse, reconcileStorage, requireStorage } from './quota.service';

withFreshDatabase();
const call = withHttpServer();

type Desk = Awaited<ReturnType<typeof createTestDesk>>;

let desk: Desk;

/** Sets these limits for the desk's plan, and removes those of every other plan. */
async function limit(
  limits: { mailsPerDay?: number; recipientsPerDay?: number; storageBytes?: number },
  of = desk,
): Promise<void> {
  await setPlan(of.handle, 'free');
  overrideEnv({ PLAN_LIMITS: parseEnv({ PLAN_LIMITS: JSON.stringify({ free: limits }) }).PLAN_LIMITS });
}

beforeEach(async () => {
  desk = await createTestDesk();
  overrideEnv({ PLAN_LIMITS: undefined });
});

const use = (of: Pick<Desk, 'identityId'> = desk) => getQuotaUse(of.identityId);
const invitees = (count: number) => Array.from({ length: count }, (_, i) => ({ email: `guest${i}@quark.example` }));

async function outcomes(works: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(works);
  return settled.map((result) => (result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code));
}

async function waitingLocks(): Promise<number | undefined> {
  const [found] = await rows<{ count: number }>(pool(), {
    text: `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    values: [],
  });
  return found?.count;
}

describe('the quota of mail', () => {
  test('holds exactly, however many replies are sent at the same moment', async () => {
    const conversations = await Promise.all(Array.from({ length: 12 }, () => deliver({}, { to: desk.address })));
    await limit({ mailsPerDay: 5 });
    const all = await outcomes(
      conversations.map(({ conversationId }) => replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Hello' }))),
    );
    expect(all.filter((outcome) => outcome === 'done')).toHaveLength(5);
    expect(all.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(7);
    expect(await queuedMails(desk.identityId)).toHaveLength(5);
    expect((await use()).mails).toEqual({ current: 5, limit: 5 });
  });

  test('counts recipients: an event whose invitations are too many is not created at all', async () => {
    await limit({ recipientsPerDay: 10 });
    await createTestEvent(desk.actor, { invitees: invitees(8) });
    await expect(createTestEvent(desk.actor, { invitees: invitees(3) })).rejects.toMatchObject({
      code: 'quota_exceeded',
      details: { quota: 'recipients', limit: 10, used: 8, remaining: 2, plan: 'Free' },
    });
    await createTestEvent(desk.actor, { invitees: invitees(2) });
    expect(await queuedMails(desk.identityId)).toHaveLength(10);
    expect((await use()).recipients).toEqual({ current: 10, limit: 10 });
    const [found] = await rows<{ count: number }>(pool(), {
      text: 'SELECT count(*)::int AS count FROM calendar_events WHERE identity_id = $1',
      values: [desk.identityId],
    });
    expect(found?.count).toBe(2);
  });

  test('is what API calls hear as 429, with when the day ends, and not counted as a request', async () => {
    await limit({ mailsPerDay: 0 });
    const { conversationId } = await deliver({}, { to: desk.address });
    const answer = await call('POST', `/api/v1/conversations/${conversationId}/messages`, {
      key: desk.key,
      json: { text: 'Hello' },
    });
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({
      error: 'Quota exceeded',
      code: 'quota_exceeded',
      message: expect.stringContaining('The plan Free allows 0 emails a day'),
      details: { quota: 'mails', limit: 0, remaining: 0, resetAt: expect.stringMatching(/T00:00:00.000Z$/), plan: 'Free' },
    });
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(answer.headers['x-ratelimit-remaining']).toBe('99');
    const next = await call('GET', '/api/v1/identity', { key: desk.key });
    expect(next.headers['x-ratelimit-remaining']).toBe('99');
  });

  test('counts test mail, and mail that is sent again', async () => {
    const { id } = await sendTestMail(desk.actor);
    await pool().query(`UPDATE outbox_mails SET state = 'failed' WHERE id = $1`, [id]);
    await resendMail(desk.actor, id);
    expect(await use()).toMatchObject({ mails: { current: 2 }, recipients: { current: 2 } });
    await limit({ mailsPerDay: 2 });
    await expect(sendTestMail(desk.actor)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await pool().query(`UPDATE outbox_mails SET state = 'failed' WHERE id = $1`, [id]);
    await expect(resendMail(desk.actor, id)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(
      (await rows(pool(), { text: `SELECT 1 FROM outbox_mails WHERE id = $1 AND state = 'failed'`, values: [id] })).length,
    ).toBe(1);
  });

  test('makes reminders wait for the next day, and sends them then while they are of use', async () => {
    const start = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 40 * 3_600_000;
    const event = await createTestEvent(desk.actor, {
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + 3_600_000).toISOString(),
      reminders: [{ type: 'email', value: 1, unit: 'days' }],
    });
    await limit({ mailsPerDay: 0 });
    const reminders = async () => (await queuedMails(desk.identityId)).filter(({ kind }) => kind === 'event_reminder');
    const dueAt = start - 24 * 3_600_000;
    await sendReminders(desk.identityId, event.id, dueAt + 1_000);
    expect(await reminders()).toEqual([]);
    const job = await findJob(remindersJob, event.id);
    expect(job?.dueAt).toEqual(new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000));
    overrideEnv({ PLAN_LIMITS: undefined });
    await sendReminders(desk.identityId, event.id, dueAt + 3_600_000);
    expect(await reminders()).toHaveLength(1);
  });

  test('counts nothing that is undone, and begins again with the day', async () => {
    await limit({ mailsPerDay: 1 });
    const undone = transaction(desk.actor, async (client) => {
      await countMails(client, desk.identityId, 1, 1);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await sendTestMail(desk.actor);
    await expect(sendTestMail(desk.actor)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await pool().query('UPDATE mail_days SET day = day - 1 WHERE identity_id = $1', [desk.identityId]);
    await sendTestMail(desk.actor);
  });

  test('is not reset by deleting a business and creating it again', async () => {
    await limit({ mailsPerDay: 3, recipientsPerDay: 10 });
    await sendTestMail(desk.actor);
    await sendTestMail(desk.actor);
    await deleteIdentity(desk.actor, { handle: desk.handle });
    await eraseIdentities();
    const owner = { ownerEmail: desk.owner.email, existingOwner: true } as const;
    const again = await createTestIdentity({ ...owner, plan: 'free' });
    expect((await use(again)).mails).toEqual({ current: 2, limit: 3 });
    await sendTestMail(again.actor);
    await expect(sendTestMail(again.actor)).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('The plan Free allows 3 emails a day, and 3 are used.'),
      details: { quota: 'mails', limit: 3, used: 3, remaining: 0 },
    });
    await pool().query('UPDATE owner_mail_days SET day = day - 1 WHERE user_id = $1', [desk.owner.userId]);
    await sendTestMail(again.actor);
  });

  test('of businesses that their owner has had for longer does not depend on one that is deleted', async () => {
    const owner = { ownerEmail: desk.owner.email, existingOwner: true } as const;
    const older = await createTestIdentity({ ...owner, plan: 'free' });
    await pool().query(`UPDATE identities SET created_at = created_at - interval '1 day' WHERE id = $1`, [older.identityId]);
    await limit({ mailsPerDay: 3 });
    for (let mail = 0; mail < 3; mail++) await sendTestMail(desk.actor);
    await deleteIdentity(desk.actor, { handle: desk.handle });
    expect((await use(older)).mails).toEqual({ current: 0, limit: 3 });
    expect(await outcomes(Array.from({ length: 4 }, () => sendTestMail(older.actor)))).toContain('quota_exceeded');
    expect((await use(older)).mails).toEqual({ current: 3, limit: 3 });
  });

  test('is of one business alone, and none of the largest plan', async () => {
    const other = await createTestDesk();
    await limit({ mailsPerDay: 0 });
    await sendTestMail(other.actor);
    expect(await use(other)).toMatchObject({ mails: { current: 1, limit: -1 }, storage: { limit: -1 } });
  });
});

const body = (size: number) => 'x'.repeat(size);

describe('storage', () => {
  test('is counted for what is written, attached, put aside and shown, and given back with it', async () => {
    const headers = { 'Content-Type': 'application/pdf; name="plan.pdf"' };
    await deliver({ body: body(5_000) }, { to: desk.address });
    await deliver({ headers, body: body(7_000) }, { to: desk.address });
    const mails = (await use()).storage.current;
    expect(mails).toBeGreaterThanOrEqual(5_000 + 7_000 + 2 * 1024);
    expect(mails).toBeLessThan(5_000 + 7_000 + 2 * 1024 + 500);
    await uploadBlogImage(desk.actor, { content: smallPicture });
    const [files] = await rows<{ size: number }>(pool(), {
      text: 'SELECT sum(f.size)::int AS size FROM blog_image_files f JOIN blog_images i ON i.id = f.image_id WHERE i.identity_id = $1',
      values: [desk.identityId],
    });
    expect((await use()).storage.current).toBe(mails + (files?.size ?? Number.NaN));
    const unreadable = Buffer.concat([Buffer.from('Content-Type: multipart/mixed; boundary=x\r\n'), Buffer.alloc(9_000, 0)]);
    const reception = await receiveBytes(unreadable, { to: desk.address });
    if (reception.kind === 'quarantined') {
      const full = (await use()).storage.current;
      expect(full).toBe(mails + (files?.size ?? 0) + unreadable.length);
      await removeQuarantined(desk.actor, reception.quarantineIds[0] ?? '');
      expect(await listQuarantine(desk.actor, undefined)).toMatchObject({ messages: [] });
    }
    await pool().query('DELETE FROM blog_images WHERE identity_id = $1', [desk.identityId]);
    expect(reception.kind === 'quarantined' ? (await use()).storage.current : mails).toBe(mails);
    await pool().query('DELETE FROM messages WHERE identity_id = $1', [desk.identityId]);
    expect((await use()).storage.current).toBe(0);
  });

  test('is counted for internal notes, and refuses those that do not fit', async () => {
    const { conversationId } = await deliver({}, { to: desk.address });
    const { current } = (await use()).storage;
    await limit({ storageBytes: current + 9_000 });
    const add = () => addNote(desk.actor, addNoteInput.parse({ conversationId, text: 'é'.repeat(2_000) }));
    await add();
    expect((await use()).storage.current).toBe(current + 4_000 + 1024);
    await expect(add()).rejects.toMatchObject({ code: 'quota_exceeded', details: { quota: 'storage' } });
    expect((await use()).storage.current).toBe(current + 4_000 + 1024);
    await pool().query('DELETE FROM conversation_notes WHERE identity_id = $1', [desk.identityId]);
    expect((await use()).storage.current).toBe(current);
  });

  test('refuses mail that does not fit, takes what does, and knows mail again that it has', async () => {
    await limit({ storageBytes: 30_000 });
    const known = mailBytes({ body: body(15_000) });
    await receiveBytes(known, { to: desk.address });
    const before = await use();
    await expect(deliver({ body: body(20_000) }, { to: desk.address })).rejects.toMatchObject({
      code: 'quota_exceeded',
      details: { quota: 'storage', limit: 30_000, resetAt: null },
      headers: { 'Retry-After': '3600' },
    });
    expect(await use()).toEqual(before);
    expect(await desk.list()).toMatchObject({ total: 1 });
    expect(await receiveBytes(known, { to: desk.address })).toMatchObject({ deliveries: [{ isNew: false }] });
    await deliver({ body: body(1_000) }, { to: desk.address });
  });

  test('of one that is full keeps no one else from their mail, and what is sent again is stored once', async () => {
    const other = await createTestDesk();
    await limit({ storageBytes: 3_000 });
    const bytes = mailBytes({ body: body(20_000) });
    for (let i = 0; i < 2; i++) {
      await expect(receiveBytes(bytes, { to: [desk.address, other.address] })).rejects.toMatchObject({ code: 'quota_exceeded' });
    }
    expect([(await desk.list()).total, (await other.list()).total]).toEqual([0, 1]);
    await limit({ storageBytes: 50_000 });
    await receiveBytes(bytes, { to: [desk.address, other.address] });
    expect([(await desk.list()).total, (await other.list()).total]).toEqual([1, 1]);
  });

  test('holds exactly, however much comes in at the same moment', async () => {
    await limit({ storageBytes: 50_000 });
    const all = await outcomes(Array.from({ length: 10 }, () => deliver({ body: body(10_000) }, { to: desk.address })));
    expect(all.filter((outcome) => outcome === 'done')).toHaveLength(4);
    expect(all.filter((outcome) => outcome === 'quota_exceeded')).toHaveLength(6);
    expect((await use()).storage.current).toBeLessThanOrEqual(50_000);
  });

  test('waits for what another transaction has stored and not committed yet', async () => {
    await limit({ storageBytes: 1_000 });
    const [first, second] = await Promise.all([pool().connect(), pool().connect()]);
    const store = async (client: pg.PoolClient, shard: number) => {
      await client.query('BEGIN');
      await client.query('INSERT INTO storage_usage (identity_id, shard, bytes) VALUES ($1, $2, 600)', [desk.identityId, shard]);
    };
    try {
      await store(first, 1);
      await requireStorage(first, desk.identityId);
      await store(second, 2);
      const refused = expect(requireStorage(second, desk.identityId)).rejects.toMatchObject({ code: 'quota_exceeded' });
      await expect.poll(() => waitingLocks()).toBe(1);
      await first.query('COMMIT');
      await refused;
    } finally {
      for (const client of [first, second]) {
        await client.query('ROLLBACK');
        client.release();
      }
    }
  });

  test('that is full refuses pictures and replies as well', async () => {
    const { conversationId } = await deliver({ body: body(2_000) }, { to: desk.address });
    await limit({ storageBytes: 3_100 });
    await expect(replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Hello' }))).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    await limit({ storageBytes: 3_000 });
    const answer = await call('POST', '/api/v1/blog/images', { key: desk.key, json: { content: smallPicture } });
    expect([answer.status, answer.body]).toMatchObject([429, { code: 'quota_exceeded', details: { quota: 'storage' } }]);
    expect(await queuedMails(desk.identityId)).toEqual([]);
  });

  test('whose counters went wrong is set right, beside what comes in in the meantime', async () => {
    await deliver({ body: body(5_000) }, { to: desk.address });
    const { current } = (await use()).storage;
    await pool().query('UPDATE storage_usage SET bytes = bytes + 777 WHERE identity_id = $1', [desk.identityId]);
    await Promise.all([reconcileStorage(), deliver({ body: body(5_000) }, { to: desk.address })]);
    expect(Math.abs((await use()).storage.current - 2 * current)).toBeLessThan(50);
    const before = await use();
    await reconcileStorage();
    expect(await use()).toEqual(before);
  });

  test('of a business that is deleted is forgotten', async () => {
    await deliver({}, { to: desk.address, clientAddress: '198.51.100.7' });
    await sendTestMail(desk.actor);
    await deleteIdentity(desk.actor, { handle: desk.handle });
    await eraseIdentities();
    for (const table of ['storage_usage', 'mail_days', 'sender_days']) {
      expect(await rows(pool(), { text: `SELECT 1 FROM ${table} WHERE identity_id = $1`, values: [desk.identityId] })).toEqual(
        [],
      );
    }
  });
});
