import { beforeEach, expect, test } from 'vitest';
import { listAuditInput } from '@/server/features/audit/audit.schema';
import { listAudit } from '@/server/features/audit/audit.service';
import { getQuotaUse } from '@/server/features/usage/quota.service';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver, testMessageId } from '@/server/testing/mail';
import { deleteAttachment, deleteAttachmentAsOperator, getAttachment } from './attachment.service';
import { listMessages } from './conversation.service';
import { listMessagesInput } from './message.schema';
import { deleteConversation, restoreConversation } from './trash.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createTestDesk>>;
let desk: Desk;

const names = ['a.pdf', 'b.pdf', 'c.pdf'];
const fileBytes = 3_000;

/** A mail with three files. */
async function deliverFiles(to: Desk, messageId = testMessageId()) {
  const parts = names.map((name) => `--b\nContent-Type: application/pdf; name="${name}"\n\n${name.repeat(fileBytes / 5)}\n`);
  const headers = { 'Message-ID': messageId, 'Content-Type': 'multipart/mixed; boundary=b' };
  const body = `--b\nContent-Type: text/plain\n\nHello\n${parts.join('')}--b--\n`;
  const { conversationId, messageId: id } = await deliver({ headers, body }, { to: to.address });
  const { attachments } = await messageOf(to, conversationId);
  const ids = attachments.map((attachment) => ({ conversationId, messageId: id, attachmentId: attachment.id }));
  return { conversationId, messageId: id, ids };
}

async function messageOf(of: Desk, conversationId: string) {
  const input = listMessagesInput.parse({ conversationId, includeAttachments: true });
  const [message] = (await listMessages(of.actor, input)).messages;
  if (!message) throw new Error('The conversation has no message.');
  return message;
}

type Mail = Awaited<ReturnType<typeof deliverFiles>>;
let mail: Mail;
const target = (index: number) => mail.ids[index] as Mail['ids'][number];

beforeEach(async () => {
  desk = await createTestDesk();
  mail = await deliverFiles(desk);
});

const storage = async () => (await getQuotaUse(desk.identityId)).storage.current;

test('a deleted attachment leaves its name and size in the message, and frees its storage', async () => {
  const before = await storage();
  const { attachmentId } = target(1);
  expect(await deleteAttachment(desk.actor, target(1))).toEqual({ success: true });
  const message = await messageOf(desk, mail.conversationId);
  expect(message.attachments.map(({ filename }) => filename)).toEqual(['a.pdf', 'c.pdf']);
  expect(message).toMatchObject({ attachmentCount: 2, removedAttachments: [{ filename: 'b.pdf', size: fileBytes }] });
  expect(Math.abs(Date.parse(message.removedAttachments[0]?.removedAt ?? '') - Date.now())).toBeLessThan(60_000);
  expect(before - (await storage())).toBeGreaterThanOrEqual(fileBytes);
  await expect(getAttachment(desk.actor, attachmentId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteAttachment(desk.actor, target(1))).rejects.toMatchObject({ code: 'not_found' });
});

test('is an event with what the message had before, and in the audit log', async () => {
  await deleteAttachment(desk.actor, target(0));
  const events = await eventsOf(desk, () => deleteAttachment(desk.actor, target(1)));
  expect(events).toMatchObject([
    {
      type: 'message.updated',
      data: {
        object: { attachmentCount: 1, removedAttachments: [{ filename: 'b.pdf' }, { filename: 'a.pdf' }] },
        previousAttributes: { attachmentCount: 2, removedAttachments: [{ filename: 'a.pdf' }] },
      },
    },
  ]);
  const { entries } = await listAudit(desk.actor, listAuditInput.parse({ resource: 'message', action: 'updated' }));
  expect(entries).toMatchObject([
    { resourceId: mail.messageId, author: { kind: 'owner' }, changes: [{ field: 'removedAttachments' }] },
    { resourceId: mail.messageId, changes: [{ field: 'removedAttachments', before: [], after: [{ filename: 'a.pdf' }] }] },
  ]);
});

test('many at the same moment are each deleted once', async () => {
  const results = await Promise.allSettled([0, 1, 2, 0, 1, 2].map((index) => deleteAttachment(desk.actor, target(index))));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const message = await messageOf(desk, mail.conversationId);
  expect(message).toMatchObject({ attachmentCount: 0, attachments: [] });
  expect(message.removedAttachments.map(({ filename }) => filename).sort()).toEqual(names);
});

test('a repeated delivery of the message does not bring it back', async () => {
  const messageId = testMessageId();
  mail = await deliverFiles(desk, messageId);
  await deleteAttachment(desk.actor, target(0));
  mail = await deliverFiles(desk, messageId);
  expect(await messageOf(desk, mail.conversationId)).toMatchObject({ attachmentCount: 2 });
});

test('also in the trash', async () => {
  const { conversationId } = mail;
  await deleteConversation(desk.actor, { conversationId, permanent: false });
  await deleteAttachment(desk.actor, target(0));
  await restoreConversation(desk.actor, conversationId);
  expect(await messageOf(desk, conversationId)).toMatchObject({ attachmentCount: 2 });
});

test('is found only in its own message and conversation, by its own business', async () => {
  const other = await deliverFiles(desk);
  const stranger = await createTestIdentity();
  const { conversationId, messageId, attachmentId } = target(0);
  for (const [actor, ids] of [
    [desk.actor, { conversationId, messageId: other.messageId, attachmentId }],
    [desk.actor, { conversationId: other.conversationId, messageId, attachmentId }],
    [desk.actor, { conversationId: other.conversationId, messageId: other.messageId, attachmentId }],
    [stranger.actor, { conversationId, messageId, attachmentId }],
  ] as const) {
    await expect(deleteAttachment(actor, ids)).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await messageOf(desk, conversationId)).toMatchObject({ attachmentCount: 3, removedAttachments: [] });
});

test('the operator needs only the id of the attachment', async () => {
  const { attachmentId: id } = target(2);
  const stranger = await createTestIdentity();
  await expect(deleteAttachmentAsOperator({ identity: stranger.handle, id })).rejects.toMatchObject({ code: 'not_found' });
  expect(await deleteAttachmentAsOperator({ identity: desk.handle, id })).toEqual({ success: true });
  expect(await messageOf(desk, mail.conversationId)).toMatchObject({ attachmentCount: 2 });
});
