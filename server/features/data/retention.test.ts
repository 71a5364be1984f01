import { beforeEach, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { overrideEnv } from '@/server/platform/env';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { removals } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { deliver, mailBytes, receiveBytes, testMessageId } from '@/server/testing/mail';
import { listAuditInput } from '../audit/audit.schema';
import { listAudit } from '../audit/audit.service';
import { getConversation, listMessages } from '../conversations/conversation.service';
import { listMessagesInput, replyInput } from '../conversations/message.schema';
import { replyTo } from '../conversations/reply.service';
import { listOutbox, resendMail } from '../mail/outbox-list.service';
import { listQuarantine } from '../mail/quarantine.service';
import { sendTestMail } from '../mail/test-mail.service';
import { activitiesOf } from '../usage/activity.service';
import { trackInput } from '../usage/usage.schema';
import { getUsageStats, trackUsage } from '../usage/usage.service';
import { getDataOverview } from './data.service';

withFreshDatabase();

let desk: Awaited<ReturnType<typeof createTestDesk>>;

beforeEach(async () => {
  desk = await createTestDesk();
});

/** Makes all rows of a table as old as this, and runs the nightly sweep with the settings as they are and with a setting. */
async function sweepAfter(table: string, column: string, days: number, setting: Parameters<typeof overrideEnv>[0]) {
  await pool().query(`UPDATE ${table} SET ${column} = ${column} - make_interval(days => $1) WHERE identity_id = $2`, [
    days,
    desk.identityId,
  ]);
  const [name, value] = Object.entries(setting)[0] ?? [];
  const count = async () =>
    (await rows(pool(), { text: `SELECT 1 FROM ${table} WHERE identity_id = $1`, values: [desk.identityId] })).length;
  overrideEnv({ [`${name}`]: 0 });
  await removeExpired(removals);
  const kept = await count();
  overrideEnv({ [`${name}`]: value });
  await removeExpired(removals);
  return { kept, left: await count() };
}

const audited = async () => (await listAudit(desk.actor, listAuditInput.parse({ limit: 100 }))).entries.length;

test('reported usage goes, its sums stay', async () => {
  await trackUsage(desk.actor, trackInput.parse({ type: 'token_usage', totalTokens: 10 }));
  const swept = await sweepAfter('usage_records', 'created_at', 31, { USAGE_RETENTION_DAYS: 30 });
  expect(swept).toEqual({ kept: 1, left: 0 });
  expect((await getUsageStats(desk.actor)).tokenUsage.current).toBe(10);
});

test('usage reported today stays', async () => {
  await trackUsage(desk.actor, trackInput.parse({ type: 'token_usage', totalTokens: 10 }));
  expect(await sweepAfter('usage_records', 'created_at', 29, { USAGE_RETENTION_DAYS: 30 })).toEqual({ kept: 1, left: 1 });
});

test('a forgotten task that never ended is not active any more, and what ended stays counted', async () => {
  for (const [taskId, status] of [
    ['one', 'running'],
    ['two', 'running'],
    ['three', 'completed'],
  ])
    await trackUsage(desk.actor, trackInput.parse({ type: 'agent_execution', agentId: 'ann', taskId, status }));
  const activity = async () => (await activitiesOf(desk.identityId, ['ann']))('ann');
  expect(await activity()).toMatchObject({ actions: 3, active: 2, completed: 1 });
  const swept = await sweepAfter('tracked_tasks', 'updated_at', 401, { USAGE_RETENTION_DAYS: 400 });
  expect(swept).toEqual({ kept: 3, left: 0 });
  expect(await activity()).toMatchObject({ actions: 3, active: 0, completed: 1 });
});

test('of settled mail, what carries a message loses only its content', async () => {
  const { conversationId } = await deliver({}, { to: desk.address });
  const { id: messageId } = await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'The whole answer' }));
  await sendTestMail(desk.actor);
  await pool().query(`UPDATE outbox_mails SET state = 'failed' WHERE identity_id = $1`, [desk.identityId]);
  const before = await audited();
  expect(await sweepAfter('outbox_mails', 'created_at', 91, { OUTBOX_RETENTION_DAYS: 90 })).toEqual({ kept: 2, left: 1 });
  const { emails } = await listOutbox(desk.actor, {});
  expect(emails).toMatchObject([{ messageId, state: 'failed', subject: 'Re: A question' }]);
  await expect(resendMail(desk.actor, emails[0]?.id ?? '')).rejects.toMatchObject({
    code: 'conflict',
    message: 'This email is too old to be sent again. Write a new one.',
  });
  const { messages } = await listMessages(desk.actor, listMessagesInput.parse({ conversationId }));
  expect(messages.find(({ id }) => id === messageId)?.text).toBe('The whole answer\n');
  expect(await audited()).toBe(before);
});

test('mail that still waits is never swept', async () => {
  await sendTestMail(desk.actor);
  expect(await sweepAfter('outbox_mails', 'created_at', 91, { OUTBOX_RETENTION_DAYS: 90 })).toEqual({ kept: 1, left: 1 });
});

test('quarantined mail goes', async () => {
  const parts = Array.from({ length: 1_500 }, () => '--xx\nContent-Type: text/plain\n\npart\n').join('');
  const headers = { 'Content-Type': 'multipart/mixed; boundary=xx' };
  await receiveBytes(mailBytes({ headers, body: `${parts}--xx--\n` }), { to: desk.address });
  const before = await audited();
  const swept = await sweepAfter('quarantined_mails', 'created_at', 91, { QUARANTINE_RETENTION_DAYS: 90 });
  expect(swept).toEqual({ kept: 1, left: 0 });
  expect((await listQuarantine(desk.actor, undefined)).messages).toEqual([]);
  expect(await audited()).toBe(before);
});

test('the id of a merged conversation leads to the other one as long as the settings say', async () => {
  const [first, second] = [testMessageId(), testMessageId()];
  const { conversationId: one } = await deliver({ headers: { 'Message-ID': first } }, { to: desk.address });
  const { conversationId: two } = await deliver({ headers: { 'Message-ID': second, Subject: 'Another' } }, { to: desk.address });
  await deliver({ headers: { References: `${first} ${second}`, 'In-Reply-To': second } }, { to: desk.address });
  const survivor = (await getConversation(desk.actor, two)).id;
  const merged = survivor === one ? two : one;
  expect((await getConversation(desk.actor, merged)).id).toBe(survivor);
  const swept = await sweepAfter('merged_conversations', 'merged_at', 366, { MERGED_CONVERSATION_RETENTION_DAYS: 365 });
  expect(swept).toEqual({ kept: 1, left: 0 });
  await expect(getConversation(desk.actor, merged)).rejects.toMatchObject({ code: 'not_found' });
  expect((await listMessages(desk.actor, listMessagesInput.parse({ conversationId: survivor }))).messages).toHaveLength(3);
});

test('the overview counts the business’ own records, with their sizes and how long they stay', async () => {
  const neighbour = await createTestDesk();
  await deliver({ body: 'x'.repeat(5_000) }, { to: desk.address });
  await deliver({}, { to: neighbour.address });
  await deliver({}, { to: neighbour.address });
  overrideEnv({ AUDIT_RETENTION_DAYS: 0, OUTBOX_RETENTION_DAYS: 90 });
  const { files, kinds } = await getDataOverview(desk.actor);
  const of = (wanted: string) => kinds.find(({ kind }) => kind === wanted);
  expect(of('messages')).toMatchObject({ records: 1, retentionDays: null });
  expect(of('messages')?.bytes).toBeGreaterThan(200);
  expect(of('posts')).toEqual({ kind: 'posts', records: 0, bytes: 0, retentionDays: null });
  expect(of('audit')?.retentionDays).toBe(0);
  expect(of('outbox')?.retentionDays).toBe(90);
  expect(files.current).toBeGreaterThan(5_000);
  const { kinds: theirs } = await getDataOverview(neighbour.actor);
  expect(theirs.find(({ kind }) => kind === 'messages')?.records).toBe(2);
});
