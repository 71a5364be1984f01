import { v7 as uuidv7 } from 'uuid';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import type { Examples, Own } from '@/server/testing/examples';
import { deliver } from '@/server/testing/mail';
import { addTestMember } from '@/server/testing/team';
import { blockSenderInput } from '../blocked-sender.schema';
import { blockSender } from '../blocked-sender.service';
import { draftsMaximum, saveDraftInput, saveReplyDraftInput } from '../draft.schema';
import { saveConversationDraft, saveDraft } from '../draft.service';
import { createLabelInput } from '../label.schema';
import { createLabel } from '../label.service';
import { replyInput } from '../message.schema';
import { replyTo } from '../reply.service';
import { createSnippetInput } from '../snippet.schema';
import { createSnippet } from '../snippet.service';
import { deleteConversation } from '../trash.service';

const newConversation = async ({ handle }: Own) => (await deliver({}, { to: `desk@${handle}.localhost` })).conversationId;

/** As many drafts as an author may have. */
async function fillDrafts(identityId: string, userId: string): Promise<void> {
  await pool().query(
    `INSERT INTO mail_drafts (identity_id, author_user_id, id, "to", cc, bcc, subject, text, quote, attachment_ids)
      SELECT $1, $2, gen_random_uuid(), '[]', '[]', '[]', '', '', false, '{}' FROM generate_series(1, $3::int)`,
    [identityId, userId, draftsMaximum],
  );
}

async function newDraft(author: IdentityActor): Promise<string> {
  return (await saveDraft(author, saveDraftInput.parse({ draftId: uuidv7(), subject: 'Your order' }))).id;
}

async function scheduledReply(author: IdentityActor, conversationId: string): Promise<string> {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  return (await replyTo(author, replyInput.parse({ conversationId, text: 'Hello', sendAt }))).id;
}

export const examples: Examples = {
  bodies: {
    'conversations.create': { to: ['ann@quark.example'], subject: 'Your order', text: 'Hello' },
    'conversations.update': { isSpam: true },
    'conversations.updateMany': { ids: ['0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50'], isArchived: true },
    'conversations.restoreMany': { ids: ['0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50'] },
    'conversations.deleteMany': { senderEmail: 'ann@quark.example' },
    'conversations.reply': { text: 'Hello' },
    'conversations.addNote': { text: 'Hello' },
    'drafts.saveOfConversation': { text: 'Hello' },
    'labels.create': { name: 'Orders' },
    'blockedSenders.create': { sender: 'offers@shop.example' },
    'labels.update': { color: 'teal' },
    'snippets.create': { name: 'Thanks', text: 'Hello {{customer.firstName|there}}' },
    'snippets.update': { text: 'Good day' },
    'drafts.save': { to: [{ email: 'ann@quark.example' }], subject: 'Your order', text: 'Hello' },
  },
  bodiesAbout: {
    'conversations.updateMany': ({ conversationId }) => ({ ids: [conversationId], isArchived: true }),
    'conversations.restoreMany': ({ conversationId }) => ({ ids: [conversationId] }),
  },
  paths: { 'scheduledEmails.cancel': ({ scheduledId, messageId = '' }) => ({ messageId: scheduledId ?? messageId }) },
  queries: { 'conversations.thread': ({ conversationId = '' }) => ({ conversationId }) },
  records: {
    parameters: ['conversationId', 'messageId', 'attachmentId', 'draftId', 'snippetId', 'labelId', 'blockedSenderId'],
    async create({ handle, actor, apiKeyActor }) {
      const headers = {
        'Content-Type': 'application/pdf; name="plan.pdf"',
        'List-Unsubscribe': '<mailto:leave@list.example>',
      };
      const { conversationId, messageId } = await deliver({ headers }, { to: `inbox-manager@${handle}.localhost` });
      const { id: attachmentId } = await prisma().attachment.findFirstOrThrow({ where: { messageId } });
      const scheduledId = await scheduledReply(apiKeyActor, conversationId);
      const { id: snippetId } = await createSnippet(actor, createSnippetInput.parse({ name: 'Greeting', text: 'Hello' }));
      const { id: labelId } = await createLabel(actor, createLabelInput.parse({ name: 'Warranty' }));
      const { blockedSender } = await blockSender(actor, blockSenderInput.parse({ sender: 'spam@shop.example' }));
      const draftId = await newDraft(actor);
      const { id: blockedSenderId } = blockedSender;
      return { conversationId, messageId, attachmentId, draftId, scheduledId, snippetId, labelId, blockedSenderId };
    },
  },
  own: {
    'drafts.save': async ({ actor, ids: { conversationId } }) => [
      { draftId: await newDraft(actor), text: 'Hello' },
      { draftId: uuidv7(), conversationId, text: 'Hello' },
    ],
    'conversations.update': async (own) => {
      const { conversationId, agentId } = own.ids;
      const { userId } = (await addTestMember(own, 'member')).actor;
      return [
        { conversationId, isArchived: true },
        { conversationId, addLabels: [own.ids.labelId] },
        { conversationId, removeLabels: [own.ids.labelId] },
        { conversationId, snoozedUntil: new Date(Date.now() + 86_400_000).toISOString() },
        { conversationId, isSpam: true },
        { conversationId, assignee: { type: 'member', id: userId } },
        { conversationId, assignee: { type: 'agent', id: agentId } },
        { conversationId, assignee: null },
      ];
    },
    'conversations.updateMany': async (own) => {
      const ids = [own.ids.conversationId, await newConversation(own)];
      return [
        { ids, isArchived: true },
        { ids, isRead: true },
        { ids, addLabels: [own.ids.labelId] },
        { ids, snoozedUntil: new Date(Date.now() + 86_400_000).toISOString() },
        { ids, assignee: { type: 'agent', id: own.ids.agentId } },
      ];
    },
    'conversations.restoreMany': async ({ actor, ids: { conversationId = '' } }) => {
      await deleteConversation(actor, { conversationId, permanent: false });
      return [{ ids: [conversationId] }];
    },
    'conversations.delete': async (own) => [
      { conversationId: own.ids.conversationId },
      { conversationId: await newConversation(own), permanent: true },
    ],
    'conversations.deleteMany': async (own) => [
      { ids: [own.ids.conversationId] },
      { ids: [await newConversation(own)], permanent: true },
    ],
    'conversations.restore': async ({ actor, ids: { conversationId = '' } }) => {
      await deleteConversation(actor, { conversationId, permanent: false });
      return [{ conversationId }];
    },
    'conversations.presence': ({ ids: { conversationId } }) => [{ conversationId, activity: 'answering' }],
    'scheduledEmails.cancel': async ({ actor, ids: { conversationId = '' } }) => [
      { conversationId, messageId: await scheduledReply(actor, conversationId) },
    ],
  },
  foreign: {
    'conversations.list': ({ agentId, customerEmail, memberId }) => [
      {},
      { agentId },
      { search: 'secret' },
      { participant: customerEmail },
      { assignee: agentId },
      { assignee: memberId },
    ],
    'conversations.update': ({ conversationId, agentId, memberId, labelId }) => [
      { conversationId, addLabels: [labelId] },
      { conversationId, assignee: { type: 'member', id: memberId } },
      { conversationId, assignee: { type: 'agent', id: agentId } },
    ],
    'conversations.updateMany': ({ conversationId, agentId, memberId, labelId }) => [
      { ids: [conversationId], addLabels: [labelId] },
      { ids: [conversationId], isSpam: true },
      { ids: [conversationId], assignee: { type: 'member', id: memberId } },
      { ids: [conversationId], assignee: { type: 'agent', id: agentId } },
    ],
    'conversations.restoreMany': ({ conversationId }) => [{ ids: [conversationId] }],
    'conversations.delete': ({ conversationId }) => [{ conversationId, permanent: true }],
    'conversations.deleteMany': ({ conversationId, customerEmail }) => [
      { ids: [conversationId] },
      { ids: [conversationId], permanent: true },
      { senderEmail: customerEmail, permanent: true },
      { folder: 'spam' },
      { folder: 'trash' },
    ],
    'conversations.reply': ({ conversationId, agentId, address, attachmentId }) => [
      { conversationId, text: 'x', agentId, from: address, attachmentIds: [attachmentId] },
    ],
    'conversations.create': ({ address, agentId, attachmentId, messageId, draftId }) => [
      { to: ['x@x.io'], subject: 'x', text: 'x', from: address },
      { to: ['x@x.io'], subject: 'x', text: 'x', agentId },
      { to: ['x@x.io'], subject: 'x', text: 'x', attachmentIds: [attachmentId] },
      { to: ['x@x.io'], subject: 'x', text: 'x', forwardMessageId: messageId },
      { to: ['x@x.io'], subject: 'x', text: 'x', draftId },
    ],
    'conversations.uploadAttachment': () => [{ filename: 'x.txt' }],
    'conversations.messageFile': ({ fileConversationId, messageId }) => [{ conversationId: fileConversationId, messageId }],
    'conversations.unsubscribe': ({ fileConversationId, messageId }) => [{ conversationId: fileConversationId, messageId }],
    'scheduledEmails.list': () => [{}],
    'conversations.thread': ({ conversationId, messageId }) => [{ conversationId }, { messageId }],
    'labels.update': ({ labelId }) => [{ labelId, name: 'x' }],
    'drafts.list': () => [{}],
    'drafts.save': ({ draftId, conversationId, attachmentId, messageId }) => [
      { draftId, text: 'x' },
      { draftId: uuidv7(), conversationId },
      { draftId: uuidv7(), attachmentIds: [attachmentId] },
      { draftId: uuidv7(), forwardMessageId: messageId },
    ],
    'drafts.saveOfConversation': ({ conversationId, attachmentId }) => [{ conversationId, attachmentIds: [attachmentId] }],
    'snippets.create': ({ attachmentId }) => [{ name: 'x', text: 'x', attachmentIds: [attachmentId] }],
    'snippets.update': ({ snippetId, attachmentId }) => [{ snippetId, attachmentIds: [attachmentId] }],
    'snippets.fill': ({ snippetId, customerEmail }) => [{ snippetId }, { snippetId, email: customerEmail }],
    'conversations.newEmailDraft': ({ messageId, draftId }) => [{}, { forwardMessageId: messageId }, { draftId }],
    'conversations.replyDraft': ({ conversationId }) => [{ conversationId }],
    'conversations.presence': ({ conversationId }) => [
      { conversationId, activity: 'answering' },
      { conversationId, activity: 'left' },
    ],
  },
  withoutRecords: ['conversations.pulse'],
  begins: ['drafts.save'],
  async fill({ as, known: { address, agentId, marker, domain }, words }) {
    const headers = { From: `${words} <ann@${domain}>`, Subject: `Subject ${words}` };
    const file = {
      'Content-Type': `text/plain; name="${marker}.txt"`,
      'Content-Disposition': `attachment; filename="${marker}.txt"`,
      'List-Unsubscribe': '<mailto:leave@list.example>',
    };
    const mail = { headers: { ...headers, ...file }, body: `Body ${words}` };
    const { conversationId: fileConversationId, messageId } = await deliver(mail, { to: address });
    const { id: attachmentId } = await prisma().attachment.findFirstOrThrow({ where: { messageId } });
    const { conversationId } = await deliver({ headers, body: `Body ${words}` }, { to: address });
    await as.conversations.reply({ conversationId, text: words, agentId });
    await as.conversations.addNote({ conversationId, text: words });
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const { id: scheduledId } = await as.conversations.reply({ conversationId, text: words, sendAt });
    const { id: draftId } = await as.drafts.save({ draftId: uuidv7(), conversationId, subject: words, text: words });
    const { id: snippetId } = await as.snippets.create({ name: words, text: words });
    const { id: labelId } = await as.labels.create({ name: words.slice(0, 50) });
    const { id: blockedSenderId } = await as.blockedSenders.create({ sender: `${marker}@blocked.example` });
    await as.conversations.update({ conversationId, addLabels: [labelId] });
    return {
      conversationId,
      fileConversationId,
      messageId,
      attachmentId,
      draftId,
      scheduledId,
      ...{ snippetId, labelId, blockedSenderId },
    };
  },
  rows: [
    `INSERT INTO merged_conversations (identity_id, id, conversation_id)
      SELECT $1, gen_random_uuid(), id FROM conversations WHERE identity_id = $1`,
    `INSERT INTO deleted_messages (identity_id, message_id_header, message_id, conversation_id)
      VALUES ($1, '<gone@x.io>', gen_random_uuid(), gen_random_uuid())`,
    `INSERT INTO message_renderings (identity_id, message_id, remote_images, version, page)
      SELECT $1, id, false, 1, '' FROM messages WHERE identity_id = $1 LIMIT 1`,
    `INSERT INTO conversation_presence (identity_id, conversation_id, user_id, activity)
      SELECT $1, c.id, i.owner_user_id, 'viewing' FROM conversations c JOIN identities i ON i.id = c.identity_id
        WHERE c.identity_id = $1`,
    `UPDATE conversations c SET assignee_user_id = i.owner_user_id FROM identities i
      WHERE i.id = $1 AND c.identity_id = i.id AND c.assignee_agent_id IS NULL`,
  ],
  unaudited: [
    ...['attachments', 'conversation_agents', 'conversation_counts', 'conversation_participants', 'conversation_presence'],
    ...['deleted_messages', 'mail_drafts', 'merged_conversations', 'message_renderings', 'message_search'],
  ],
  rules: [
    {
      operation: /messages$|^POST \/conversations$/,
      problem: /^sendAt: must be/,
      why: 'emails are scheduled for a time within a year',
    },
    {
      operation: /messages$|^POST \/conversations$/,
      problem: /^from: is not an address of this identity$/,
      why: 'the sender is one of the business’ own addresses',
    },
    {
      operation: /messages$|^POST \/conversations$/,
      problem: /^(html: can’t be given|text: shows)/,
      why: 'Markdown has no HTML besides, and shows attachments',
    },
    {
      operation: /messages$|^POST \/conversations$|draft|snippet/,
      problem: /^(attachmentIds|forwardMessageId)/,
      why: 'refers to what is there',
    },
    { operation: /messages$/, problem: /^to: must name a recipient/, why: 'an email needs a recipient' },
    { operation: /snippets/, problem: /^text: /, why: 'the rules of variables are not those of a schema' },
    { operation: /notes$/, problem: /^mentions\.\d+: is not a member$/, why: 'refers to what is there' },
    { operation: /^PATCH \/conversations/, problem: /^assignee\.id: is not/, why: 'refers to what is there' },
    {
      operation: /^PATCH \/conversations/,
      problem: /^(snoozedUntil: (must|archives|is not)|unreadFrom: is not|addLabels)/,
      why: 'a time within a year, a message of the conversation, and labels of the business',
    },
    { operation: /conversations\/delete$/, problem: /^ids: is required, or/, why: 'one of three fields' },
    { operation: /^GET \/conversations$/, problem: /^assignee: can be me only/, why: 'an ordinary key belongs to no agent' },
    { operation: /email\/thread$/, problem: /./, why: 'needs one of its two ids' },
  ],
  notFound: {
    'drafts.save': ({ send, body }) => send({ json: { ...body, conversationId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' } }),
    'conversations.create': ({ send, body }) => send({ json: { ...body, agentId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' } }),
    'conversations.thread': ({ send }) => send({ query: 'conversationId=0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' }),
  },
  conflicts: {
    'conversations.updateMany': [
      'conflict',
      async ({ send, caller, ids: { conversationId = '' } }) => {
        await deleteConversation(caller.actor, { conversationId, permanent: false });
        return send({ json: { ids: [conversationId], snoozedUntil: new Date(Date.now() + 86_400_000).toISOString() } });
      },
    ],
    'conversations.update': [
      'conflict',
      async ({ send, caller, ids: { conversationId = '' } }) => {
        await deleteConversation(caller.actor, { conversationId, permanent: false });
        return send({ json: { snoozedUntil: new Date(Date.now() + 86_400_000).toISOString() } });
      },
    ],
    'scheduledEmails.cancel': [
      'conflict',
      async ({ send, ids: { scheduledId } }) => {
        await pool().query(`UPDATE outbox_mails SET state = 'sending' WHERE message_id = $1`, [scheduledId]);
        return send();
      },
    ],
    'conversations.create': ['conflict', ({ send, body }) => send({ json: { ...body, draftId: uuidv7() } })],
    'drafts.save': [
      'conflict',
      async ({ send, body, caller, ids: { conversationId = '' } }) => {
        await saveConversationDraft(caller.actor, saveReplyDraftInput.parse({ conversationId }));
        return send({ json: { ...body, conversationId } });
      },
    ],
    'labels.create': [
      'conflict',
      async ({ send, body, caller }) => {
        await createLabel(caller.actor, createLabelInput.parse(body));
        return send();
      },
    ],
    'labels.update': [
      'conflict',
      async ({ send, caller }) => {
        await createLabel(caller.actor, createLabelInput.parse({ name: 'Taken' }));
        return send({ json: { name: 'taken' } });
      },
    ],
    'snippets.create': [
      'conflict',
      async ({ send, body, caller }) => {
        await createSnippet(caller.actor, createSnippetInput.parse(body));
        return send();
      },
    ],
    'snippets.update': [
      'conflict',
      async ({ send, body, caller }) => {
        await createSnippet(caller.actor, createSnippetInput.parse({ ...body, name: 'Taken' }));
        return send({ json: { name: 'taken' } });
      },
    ],
    'drafts.saveOfConversation': [
      'conflict',
      async ({ send, caller: { identityId, owner } }) => {
        await fillDrafts(identityId, owner.userId);
        return send();
      },
    ],
    'conversations.reply': [
      'conflict',
      async ({ send, body, caller, ids: { conversationId } }) => {
        await replyTo(caller.actor, replyInput.parse({ conversationId, text: 'Theirs' }));
        return send({ json: { ...body, seenUntil: '2026-01-01T00:00:00Z' } });
      },
    ],
  },
};
