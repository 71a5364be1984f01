import { eventKind } from '@/server/features/events/event-kind.schema';
import { conversationDetailSchema } from './conversation.schema';
import { labelSchema } from './label.schema';
import { messageSchema } from './message.schema';
import { noteSchema } from './note.schema';
import { snippetSchema } from './snippet.schema';

const identityId = '0199f3b2-5a00-7c11-8f2e-3b1d9a7c6e50';
const conversationId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const subject = 'Does the blue lamp come in brass?';
const preview = 'Hello, I have seen the blue lamp in your window.';
const ann = { email: 'ann@quark.example', displayName: 'Ann Quark' };
const desk = { email: 'desk@harborlane.example', displayName: null };
const at = '2026-11-21T09:30:00.000Z';

export const conversationEvents = eventKind({
  object: 'conversation',
  schema: conversationDetailSchema,
  path: (id) => `/conversations/${id}`,
  access: { scope: 'conversations:read' },
  types: {
    'conversation.created': 'A conversation was created.',
    'conversation.updated':
      'The status, assignee, labels, participants or agents of a conversation changed, it was archived, or a message was added. If it was merged, `data.object` is ' +
      'the conversation it is now part of. In the trash, it has `isTrashed`.',
    'conversation.deleted': 'A conversation was permanently deleted, by request or after 30 days in the trash.',
  },
  example: {
    id: conversationId,
    identityId,
    subject,
    channel: 'email',
    preview,
    status: 'pending',
    isRead: false,
    lastMessageAt: at,
    counterpart: ann,
    messageCount: 1,
    isArchived: false,
    isSpam: false,
    isTrashed: false,
    restorableUntil: null,
    snoozedUntil: null,
    waitingSince: '2026-11-21T09:12:04.118Z',
    assignee: { type: 'member', id: '0199f3b2-5a00-7c11-8f2e-3b1d9a7c6e51', name: 'Mara Lindqvist' },
    labels: [{ id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f54', name: 'Lamps', color: 'blue' }],
    participants: [
      { ...ann, role: 'from', contactGuid: '9a4f2c1e-7c55-5d0b-8a3f-1f0e6b2d4c70', customerId: null, isSelf: false },
      { ...desk, role: 'to', contactGuid: '4c1b7e2a-0d9f-5b36-9e85-6a7d3c2f1b08', customerId: null, isSelf: true },
    ],
    assignedAgents: [],
    linkedTasks: [],
    metadata: {},
    createdAt: at,
    revision: 3,
    updatedAt: at,
  },
});

export const messageEvents = eventKind({
  object: 'message',
  schema: messageSchema,
  path: (_id, message) => `/conversations/${message.conversationId}/messages`,
  access: { scope: 'conversations:read' },
  types: {
    'message.received': 'A message was received.',
    'message.updated': 'An attachment of a message was deleted.',
    'message.queued': 'A reply was queued, or queued again after it failed.',
    'message.sent': 'A message was accepted by the mail servers of all recipients.',
    'message.failed': 'A message could not be sent to all of its recipients.',
    'message.bounced': 'A sent message was returned by the mail server of a recipient.',
    'message.deleted': 'An email was cancelled before it was sent, by request or because of a reply; it is a draft again.',
  },
  example: {
    id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f51',
    conversationId,
    identityId,
    direction: 'inbound',
    channel: 'email',
    status: 'received',
    from: ann,
    to: [desk],
    cc: [],
    bcc: [],
    subject,
    text: `${preview} Does it come in brass?\n`,
    html: null,
    preview,
    messageIdHeader: '<0199f3b2-6c1e-7a40@quark.example>',
    inReplyTo: null,
    references: [],
    agentId: null,
    sentBy: null,
    isRead: false,
    isAutoReply: false,
    unsubscribe: null,
    attachmentCount: 0,
    attachments: [],
    removedAttachments: [],
    sendAt: null,
    sentAt: at,
    receivedAt: at,
    createdAt: at,
  },
});

export const noteEvents = eventKind({
  object: 'note',
  schema: noteSchema,
  path: (_id, note) => `/conversations/${note.conversationId}/notes`,
  access: { scope: 'conversations:read' },
  types: { 'conversation.note.created': 'A colleague or an agent wrote an internal note.' },
  example: {
    id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f52',
    conversationId,
    identityId,
    text: '@Mara, do we still have one in brass?',
    author: { type: 'user', id: '0199f3b2-5a00-7c11-8f2e-3b1d9a7c6e51', name: 'Jo Harbor' },
    mentions: [{ userId: '0199f3b2-5a00-7c11-8f2e-3b1d9a7c6e52', name: 'Mara Lane' }],
    createdAt: at,
  },
});

export type MessageEventType = keyof typeof messageEvents.types;

export const labelEvents = eventKind({
  object: 'label',
  schema: labelSchema,
  path: (id) => `/labels/${id}`,
  access: { scope: 'conversations:read' },
  types: {
    'label.created': 'A label was created.',
    'label.updated': 'A label was changed.',
    'label.deleted': 'A label was deleted. Conversations do not have it any more.',
  },
  example: {
    id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f54',
    identityId,
    name: 'Lamps',
    color: 'blue',
    revision: 1,
    createdAt: at,
    updatedAt: at,
  },
});

export const snippetEvents = eventKind({
  object: 'snippet',
  schema: snippetSchema,
  path: (id) => `/snippets/${id}`,
  access: { scope: 'conversations:read' },
  types: {
    'snippet.created': 'A snippet was created.',
    'snippet.updated': 'A snippet was changed.',
    'snippet.deleted': 'A snippet was deleted.',
  },
  example: {
    id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f53',
    identityId,
    name: 'Thanks for the order',
    text: 'Hello {{customer.firstName|there}},\n\nthank you for your order.',
    attachments: [],
    revision: 1,
    createdAt: at,
    updatedAt: at,
  },
});
