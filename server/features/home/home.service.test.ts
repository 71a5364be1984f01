import { expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { createAgent, updateAgent } from '../agents/agent.service';
import type { ConversationStatus } from '../conversations/conversation.schema';
import { updateConversation } from '../conversations/conversation-update.service';
import { replyTo } from '../conversations/reply.service';
import { trackUsageBatch } from '../usage/usage.service';
import { countingLimit, homeSchema } from './home.schema';
import { getHome } from './home.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createTestDesk>>;

const read = async (actor: IdentityActor, now?: Date) => homeSchema.parse(await getHome(actor, now));

/** A conversation received on that day of January. */
async function receive(desk: Desk, subject: string, day: number): Promise<string> {
  const receivedAt = new Date(Date.UTC(2026, 0, day));
  return (await deliver({ headers: { Subject: subject } }, { to: desk.address, receivedAt })).conversationId;
}

async function receiveAs(desk: Desk, status: ConversationStatus, subject: string, day: number): Promise<string> {
  const conversationId = await receive(desk, subject, day);
  await updateConversation(desk.actor, { conversationId, status, isRead: true });
  return conversationId;
}

/** Reports executions of an agent; those with the same `task` belong together. */
async function report(actor: IdentityActor, agentId: string, executions: { status: string; task?: string }[]): Promise<void> {
  const records = executions.map(({ status, task }) => ({
    type: 'agent_execution',
    agentId,
    status,
    ...(task ? { taskId: task } : {}),
  }));
  expect(await trackUsageBatch(actor, { records })).toMatchObject({ success: true });
}

test('a business at rest has nothing that needs anybody', async () => {
  const { actor } = await createTestDesk();
  expect(await read(actor)).toMatchObject({
    conversations: { waiting: 0, failed: 0, open: 0, urgent: [] },
    mails: { failed: 0, quarantined: 0 },
    events: [],
    openAnswers: { count: 0, events: [] },
    drafts: { count: 0, latest: [] },
    agents: { paused: 0, failing: 0, withoutMail: 0, shown: [] },
  });
});

test('what failed comes first, then who has waited longest, then what nobody has answered', async () => {
  const desk = await createTestDesk();
  await receive(desk, 'Unread, older', 10);
  await receive(desk, 'Unread, newer', 20);
  await receiveAs(desk, 'waiting_human', 'Waits since yesterday', 12);
  await receiveAs(desk, 'waiting_human', 'Waits for long', 2);
  await receiveAs(desk, 'failed', 'Failed', 5);
  await receiveAs(desk, 'completed', 'Done', 21);
  const { conversations } = await read(desk.actor);
  expect(conversations).toMatchObject({ open: 2, waiting: 2, failed: 1 });
  expect(conversations.urgent.map(({ subject }) => subject)).toEqual([
    'Failed',
    'Waits for long',
    'Waits since yesterday',
    'Unread, newer',
    'Unread, older',
  ]);
  expect(conversations.urgent[1]).toMatchObject({
    status: 'waiting_human',
    isRead: true,
    lastMessageAt: '2026-01-02T00:00:00.000Z',
    counterpart: { email: 'ann@quark.example', displayName: 'Ann Quark' },
  });
});

test('reading a conversation is no answer: it stays until it is answered, done or archived', async () => {
  const desk = await createTestDesk();
  const subjects = async () => (await read(desk.actor)).conversations.urgent.map(({ subject }) => subject);
  const change = (conversationId: string, input: Omit<Parameters<typeof updateConversation>[1], 'conversationId'>) =>
    updateConversation(desk.actor, { conversationId, ...input });
  const ids = [await receive(desk, 'Answered', 1), await receive(desk, 'Done', 2), await receive(desk, 'Archived', 3)];
  const [answered = '', done = '', archived = ''] = ids;
  for (const id of ids) await change(id, { isRead: true });
  expect(await subjects()).toEqual(['Archived', 'Done', 'Answered']);
  await replyTo(desk.actor, { conversationId: answered, text: 'Yes.', quote: false });
  await change(done, { status: 'completed' });
  await change(archived, { isArchived: true });
  expect(await subjects()).toEqual([]);
  // Marked as unread, to come back to it.
  await change(done, { isRead: false });
  expect(await subjects()).toEqual(['Done']);
});

test('a reply that could not be sent is one problem: the conversation, not its email as well', async () => {
  const desk = await createTestDesk();
  const conversationId = await receive(desk, 'Opening hours', 1);
  const { id: messageId } = await replyTo(desk.actor, { conversationId, text: 'Yes.', quote: false });
  await pool().query(`UPDATE outbox_mails SET state = 'failed' WHERE message_id = $1`, [messageId]);
  await pool().query(`UPDATE conversations SET status = 'failed' WHERE id = $1`, [conversationId]);
  expect(await read(desk.actor)).toMatchObject({ conversations: { failed: 1 }, mails: { failed: 0 }, pulse: { failedMails: 1 } });
  await updateConversation(desk.actor, { conversationId, isArchived: true });
  expect(await read(desk.actor)).toMatchObject({ conversations: { failed: 0 }, mails: { failed: 1 } });
});

test('failures leave room for what waits, and the list ends', async () => {
  const desk = await createTestDesk();
  for (const day of [1, 2, 3]) await receiveAs(desk, 'failed', `Failed ${day}`, day);
  for (const day of [4, 5, 6, 7, 8]) await receiveAs(desk, 'waiting_human', `Waits ${day}`, day);
  const { conversations } = await read(desk.actor);
  expect(conversations).toMatchObject({ waiting: 5, failed: 3 });
  expect(conversations.urgent.map(({ subject }) => subject)).toEqual([
    'Failed 3',
    'Failed 2',
    'Waits 4',
    'Waits 5',
    'Waits 6',
    'Waits 7',
  ]);
});

test('what was archived or is spam needs nobody', async () => {
  const desk = await createTestDesk();
  const archived = await receiveAs(desk, 'waiting_human', 'Archived', 3);
  await updateConversation(desk.actor, { conversationId: archived, isArchived: true });
  const spam = await receive(desk, 'Spam', 4);
  await updateConversation(desk.actor, { conversationId: spam, isSpam: true });
  expect((await read(desk.actor)).conversations).toEqual({ waiting: 0, failed: 0, open: 0, urgent: [] });
});

test('an agent fails by what its tasks came to, and only lately', async () => {
  const { actor, identityId } = await createTestIdentity();
  const make = async (name: string) => (await createAgent(actor, { name, roleId: name.toLowerCase(), kind: 'assistant' })).id;
  const [bad, mended, former] = [await make('Bad'), await make('Mended'), await make('Former')];
  await report(actor, bad, [{ status: 'failed', task: 'a' }, { status: 'error' }, { status: 'completed', task: 'b' }]);
  // A successful retry is not a failure.
  await report(actor, bad, [{ status: 'failed', task: 'd' }]);
  await report(actor, bad, [{ status: 'completed', task: 'd' }]);
  await report(actor, mended, [{ status: 'failed', task: 'c' }]);
  await report(actor, mended, [{ status: 'completed', task: 'c' }]);
  await report(actor, former, [{ status: 'failed' }]);
  await pool().query(
    `UPDATE usage_records SET created_at = created_at - interval '4 days' WHERE identity_id = $1 AND agent_id = $2`,
    [identityId, former],
  );
  const { agents } = await read(actor);
  expect(agents).toMatchObject({ paused: 0, failing: 1, shown: [{ id: bad, name: 'Bad', status: 'active', failures: 2 }] });
  const inFourDays = new Date(Date.now() + 4 * 86_400_000);
  expect((await read(actor, inFourDays)).agents.failing).toBe(0);
});

test('paused agents are named, those that fail before them; archived ones are not', async () => {
  const { actor } = await createTestIdentity();
  const agents = await Promise.all(
    ['Ada', 'Ben', 'Cy'].map((name) => createAgent(actor, { name, roleId: name.toLowerCase(), kind: 'assistant' })),
  );
  const [ada = '', ben = '', cy = ''] = agents.map(({ id }) => id);
  await updateAgent(actor, { agentId: ada, status: 'paused' });
  await updateAgent(actor, { agentId: ben, status: 'archived' });
  await report(actor, ben, [{ status: 'failed' }]);
  await report(actor, cy, [{ status: 'failed' }]);
  const { agents: found } = await read(actor);
  expect(found).toMatchObject({ paused: 1, failing: 1 });
  expect(found.shown.map(({ id }) => id)).toEqual([cy, ada]);
  expect(found.shown[1]).toMatchObject({ status: 'paused', failures: 0, lastFailedAt: null });
});

test('drafts are counted and the newest named; what is published is no draft', async () => {
  const { actor } = await createTestIdentity();
  await publishPost(actor, { title: 'Out' });
  for (const title of ['One', 'Two', 'Three']) await writePost(actor, { title });
  const { drafts } = await read(actor);
  expect(drafts.count).toBe(3);
  expect(drafts.latest.map(({ title }) => title)).toEqual(['Three', 'Two']);
});

test('mail that failed or could not be read is counted, to a hundred', async () => {
  const { actor, identityId } = await createTestIdentity();
  await pool().query(
    `INSERT INTO outbox_mails (id, identity_id, kind, state, message_id_header, subject, recipients, mail)
      SELECT gen_random_uuid(), $1, 'reply', CASE WHEN n > 150 THEN 'queued' ELSE 'failed' END::outbox_state,
        '<' || n || '@here.example>', 'Subject', ARRAY['ann@quark.example'], '{}'
      FROM generate_series(1, 152) n`,
    [identityId],
  );
  await pool().query(
    `INSERT INTO quarantined_mails (id, identity_id, reason, detail, source, recipients, size, sha256, is_truncated)
      SELECT gen_random_uuid(), $1, 'too_large', 'Too large', 'smtp', ARRAY['desk@here.example'], 1, lpad(n::text, 64, '0'), false
      FROM generate_series(1, 2) n`,
    [identityId],
  );
  const { mails, pulse } = await read(actor);
  expect(mails).toEqual({ failed: countingLimit, quarantined: 2 });
  expect(pulse).toMatchObject({ failedMails: countingLimit, quarantined: 2 });
});

test('a change of a conversation changes the version that Home goes by', async () => {
  const desk = await createTestDesk();
  const before = (await read(desk.actor)).pulse.version;
  await receive(desk, 'News', 3);
  expect((await read(desk.actor)).pulse.version).not.toBe(before);
});

test('usage is that of the plan', async () => {
  const { actor } = await createTestIdentity({ plan: 'free' });
  await trackUsageBatch(actor, { records: [{ type: 'token_usage', totalTokens: 85_000 }] });
  const { usage, projection } = await read(actor);
  expect(usage).toMatchObject({ plan: 'Free', tokenUsage: { current: 85_000, percentage: 85 } });
  const monthEnd = new Date(usage.period.end);
  expect(projection.tokens).toBeGreaterThanOrEqual(85_000);
  expect((await read(actor, monthEnd)).projection).toEqual({ tokens: 85_000, executions: 0 });
});

test('nothing of another identity is shown or counted', async () => {
  const [mine, theirs] = [await createTestDesk(), await createTestDesk()];
  // One of each, so that the queries for rows run at all.
  await receive(mine, 'Mine', 4);
  await receiveAs(mine, 'waiting_human', 'Mine', 5);
  await receiveAs(mine, 'failed', 'Mine', 6);
  const own = await createAgent(mine.actor, { name: 'Mine', roleId: 'mine', kind: 'assistant' });
  await report(mine.actor, own.id, [{ status: 'failed' }]);
  await writePost(mine.actor, { title: 'Mine' });
  // On the first day of a month the projection changes within a second.
  const now = new Date();
  const before = await read(mine.actor, now);
  expect(before.conversations.urgent.map(({ subject }) => subject)).toEqual(['Mine', 'Mine', 'Mine']);
  await receive(theirs, 'Theirs', 1);
  await receiveAs(theirs, 'waiting_human', 'Theirs', 2);
  await receiveAs(theirs, 'failed', 'Theirs', 3);
  await writePost(theirs.actor);
  const agent = await createAgent(theirs.actor, { name: 'Theirs', roleId: 'theirs', kind: 'assistant' });
  await report(theirs.actor, agent.id, [{ status: 'failed' }]);
  // Reports about another identity's agent do not affect it.
  await report(theirs.actor, own.id, [{ status: 'failed' }]);
  expect(await read(mine.actor, now)).toEqual(before);
  expect((await read(theirs.actor)).conversations).toMatchObject({ open: 1, waiting: 1, failed: 1 });
});
