import { beforeAll, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { deliver, type TestMail, testMessageId } from '@/server/testing/mail';
import { deleteAttachment } from './attachment.service';
import { listConversationsInput } from './conversation.schema';
import { listConversations, listMessages } from './conversation.service';
import { updateConversation } from './conversation-update.service';
import { createLabel } from './label.service';
import { listMessagesInput, replyInput } from './message.schema';
import { indexMessages } from './message-search';
import { replyTo } from './reply.service';

withFreshDatabase();

type TestDesk = Awaited<ReturnType<typeof createTestDesk>>;

type Wanted = Partial<Record<'query' | 'sort' | 'cursor' | 'limit', unknown>>;

const list = ({ actor }: Pick<TestDesk, 'actor'>, wanted: Wanted) =>
  listConversations(actor, listConversationsInput.parse(wanted));

async function found(desk: Pick<TestDesk, 'actor'>, query: string, sort = 'newest'): Promise<string[]> {
  return (await list(desk, { query, sort })).conversations.map(({ subject }) => subject);
}

const at = (day: number) => new Date(Date.UTC(2026, 0, day, 12));

const file = {
  headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
  body: '--b\nContent-Type: text/plain\n\nSee the file.\n--b\nContent-Type: application/pdf; name="plan-berlin.pdf"\nContent-Disposition: attachment; filename="plan-berlin.pdf"\n\nx\n--b--\n',
};

describe('conversations are found', () => {
  let desk: TestDesk;
  beforeAll(async () => {
    desk = await createTestDesk();
    const send = async (subject: string, day: number, { headers, ...rest }: TestMail = {}) =>
      (await deliver({ headers: { Subject: subject, ...headers }, ...rest }, { to: desk.address, receivedAt: at(day) }))
        .conversationId;
    await send('Invoice 2026-1187', 1, { body: 'Please pay the second reminder.\n\nMüller & Söhne' });
    const offer = await send('Offer', 2, {
      body: 'It has the invoice of October.',
      headers: { From: 'Bo Lind <bo@lind.example>' },
    });
    await send('Plan', 3, file);
    const html = await send('Newsletter', 4, {
      headers: { 'Content-Type': 'text/html', Cc: 'Paul Kontor <paul@quay.example>' },
      body: '<p>Only in <b>HTML</b>: brake pads</p>',
    });
    await replyTo(desk.actor, replyInput.parse({ conversationId: offer, text: 'Thank you for the gearbox.' }), at(6));
    const { id } = await createLabel(desk.actor, { name: 'Needs Answer', color: 'blue' });
    await updateConversation(desk.actor, { conversationId: html, addLabels: [id] });
  });

  test.each([
    ['invoice', ['Offer', 'Invoice 2026-1187']],
    ['INVOI', ['Offer', 'Invoice 2026-1187']],
    ['october invoice', ['Offer']],
    ['"second reminder"', ['Invoice 2026-1187']],
    ['"reminder second"', []],
    ['2026-1187', ['Invoice 2026-1187']],
    ['mueller', []],
    ['muller söhne', ['Invoice 2026-1187']],
    ['brake html', ['Newsletter']],
    ['berlin', ['Plan']],
    ['plan-berlin.pdf', ['Plan']],
    ['from:bo', ['Offer']],
    ['from:"Bo Lind"', ['Offer']],
    ['from:lind.example', ['Offer']],
    ['to:paul', ['Newsletter']],
    ['to:bo', ['Offer']],
    ['subject:invoice', ['Invoice 2026-1187']],
    ['invoice -october', ['Invoice 2026-1187']],
    ['has:attachment', ['Plan']],
    ['has:attachment berlin', ['Plan']],
    ['has:attachment invoice', []],
    ['label:"needs answer"', ['Newsletter']],
    ['label:"needs answer" brake', ['Newsletter']],
    ['label:none', []],
    ['gearbox', ['Offer']],
    // Words are of one message, and its day counts.
    ['gearbox october', []],
    ['invoice after:2026-01-02', ['Offer']],
    ['invoice before:2026-01-02', ['Invoice 2026-1187']],
    ['after:2026-01-04', ['Offer', 'Newsletter']],
    ['before:2026-01-03', ['Invoice 2026-1187']],
    ['from:', ['Offer', 'Newsletter', 'Plan', 'Invoice 2026-1187']],
    ['%', []],
  ])('by %s', async (query, subjects) => {
    expect(await found(desk, query)).toEqual(subjects);
  });

  test('the best match first, from page to page', async () => {
    expect(await found(desk, 'invoice', 'relevance')).toEqual(['Invoice 2026-1187', 'Offer']);
    const first = await list(desk, { query: 'invoice', sort: 'relevance', limit: 1 });
    expect(first).toMatchObject({ total: 2, hasMore: true });
    const second = await list(desk, { query: 'invoice', sort: 'relevance', limit: 1, cursor: first.nextCursor });
    expect(second).toMatchObject({ conversations: [{ subject: 'Offer' }], hasMore: false, nextCursor: null });
    await expect(list(desk, { query: 'invoice', limit: 1, cursor: first.nextCursor })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test.each(['from:', 'label:"needs answer"', 'after:2025-01-01', 'has:attachment', 'invoice -draft', '""'])(
    'by %s, best match first, from page to page',
    async (query) => {
      const all = await found(desk, query, 'relevance');
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await list(desk, { query, sort: 'relevance', limit: 1, ...(cursor ? { cursor } : {}) });
        seen.push(...page.conversations.map(({ subject }) => subject));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(all);
    },
  );

  test('of one business only', async () => {
    const other = await createTestDesk();
    await deliver({ headers: { Subject: 'Invoice' } }, { to: other.address });
    expect(await found(other, 'invoice')).toEqual(['Invoice']);
    expect(await found(desk, 'invoice')).toHaveLength(2);
  });

  test('not by an operator with a value that it does not take', async () => {
    await expect(found(desk, 'after:soon')).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: { query: 'has “after:” without a date such as 2026-11-30' } },
    });
  });
});

test('what a message no longer has is not found', async () => {
  const desk = await createTestDesk();
  const { conversationId } = await deliver(
    { headers: { Subject: 'Plan', ...file.headers }, body: file.body },
    { to: desk.address },
  );
  const { messages } = await listMessages(desk.actor, listMessagesInput.parse({ conversationId, includeAttachments: true }));
  expect(await found(desk, 'see has:attachment')).toEqual(['Plan']);
  const [{ id: messageId = '', attachments: [{ id: attachmentId = '' } = {}] = [] } = {}] = messages;
  await deleteAttachment(desk.actor, { conversationId, messageId, attachmentId });
  expect(await found(desk, 'has:attachment')).toEqual([]);
  expect(await found(desk, 'berlin')).toEqual([]);
  expect(await found(desk, 'see')).toEqual(['Plan']);
});

test('conversations that a message joins are found as one', async () => {
  const desk = await createTestDesk();
  const ids = [testMessageId(), testMessageId()];
  for (const [index, id] of ids.entries()) {
    await deliver({ headers: { Subject: `Part ${index}`, 'Message-ID': id }, body: 'A gearbox' }, { to: desk.address });
  }
  expect(await found(desk, 'gearbox')).toHaveLength(2);
  await deliver({ headers: { References: ids.join(' ') } }, { to: desk.address });
  const { conversations, total } = await list(desk, { query: 'gearbox' });
  expect(conversations).toMatchObject([{ messageCount: 3 }]);
  expect(total).toBe(1);
});

describe('messages that are not found yet', () => {
  const indexed = async ({ identityId }: TestDesk) =>
    (await pool().query('SELECT * FROM message_search WHERE identity_id = $1 ORDER BY message_id', [identityId])).rows;

  test('since they are older than the search are found after the next start', async () => {
    const desk = await createTestDesk();
    await deliver({ headers: { Subject: 'With a plan', ...file.headers }, body: file.body }, { to: desk.address });
    await deliver({ body: 'Nothing else' }, { to: desk.address });
    const before = await indexed(desk);
    await pool().query('DELETE FROM message_search WHERE identity_id = $1', [desk.identityId]);
    expect(await found(desk, 'nothing')).toEqual([]);
    await expect(indexMessages(AbortSignal.abort())).rejects.toThrow();
    await indexMessages();
    expect(await found(desk, 'nothing')).toEqual(['A question']);
    expect(await found(desk, 'berlin has:attachment')).toEqual(['With a plan']);
    expect(await indexed(desk)).toEqual(before);
  });
});
