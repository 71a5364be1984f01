import * as z from 'zod';
import {
  emailAddress,
  instant,
  instantOrDate,
  nextCursor,
  paging,
  recordId,
  revision,
  text,
  timestamp,
  uuid,
} from '@/server/platform/fields.schema';
import { agentStatuses } from '../agents/agent.schema';
import { conversationLabelsMaximum } from './label.limits';
import { shownLabelSchema } from './label.schema';
import { mailAddressSchema, messageSchema } from './message.schema';

/** Source: contract section 6. */
export const conversationStatuses = [
  'pending',
  'processing',
  'waiting_human',
  'waiting_customer',
  'completed',
  'failed',
] as const;

export type ConversationStatus = (typeof conversationStatuses)[number];

/**
 * Every conversation is in exactly one of these: what is in the trash is only there, and archived spam is spam. Those that are snoozed are
 * archived ones.
 */
const conversationFolders = ['inbox', 'archived', 'spam', 'trash', 'snoozed'] as const;

const assigneeTypes = ['member', 'agent'] as const;

const assigneeSchema = z
  .object({
    type: z.enum(assigneeTypes),
    id: recordId.meta({ description: 'The `userId` of the member, or the ID of the agent.' }),
    name: z.string().meta({ description: 'For a member without a name, the local part of the address.' }),
  })
  .meta({ id: 'Assignee' });

export type Assignee = z.output<typeof assigneeSchema>;

const conversationFields = {
  id: recordId,
  identityId: recordId,
  subject: z.string(),
  channel: z.string().meta({ examples: ['email'] }),
  preview: z.string().meta({ description: 'The beginning of the newest message, as one line.' }),
  status: z.enum(conversationStatuses),
  isRead: z.boolean(),
  lastMessageAt: timestamp,
  counterpart: mailAddressSchema.meta({ description: 'The other party: the last external sender.' }),
  messageCount: z.int(),
  isArchived: z.boolean(),
  isSpam: z.boolean(),
  isTrashed: z.boolean(),
  restorableUntil: timestamp.nullable().meta({ description: 'It is permanently deleted then; null unless it is in the trash.' }),
  snoozedUntil: timestamp
    .nullable()
    .meta({ description: 'Archived until then, or until a reply comes in; null unless it is snoozed.' }),
  waitingSince: timestamp.nullable().meta({
    description:
      'Since when the other side waits for an answer: when the first message since the last reply was received. null once it is answered, ' +
      'completed or archived.',
  }),
  assignee: assigneeSchema.nullable().meta({ description: 'The member or agent who is responsible for it.' }),
  labels: z.array(shownLabelSchema),
};

export const conversationSchema = z.object(conversationFields).meta({ id: 'Conversation' });

export type ConversationRecord = z.output<typeof conversationSchema>;

export const participantSchema = z.object({
  email: z.string(),
  displayName: z.string().nullable(),
  role: z.enum(['from', 'to', 'cc', 'bcc']).meta({ description: 'The most important role of this address in the conversation.' }),
  contactGuid: recordId,
  customerId: recordId.nullable().meta({ description: 'The customer that has this contact.' }),
  isSelf: z.boolean().meta({ description: 'True for addresses of the identity and its agents.' }),
});

export type ParticipantRecord = z.output<typeof participantSchema>;

export const conversationDetailSchema = z
  .object({
    ...conversationFields,
    participants: z.array(participantSchema),
    assignedAgents: z.array(
      z.object({
        id: recordId,
        name: z.string(),
        roleId: z.string(),
        avatarUrl: z.string(),
        avatarEmoji: z.string(),
        status: z.enum(agentStatuses),
      }),
    ),
    linkedTasks: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          status: z.string(),
          agentId: z.string().nullable(),
          dueAt: timestamp.nullable(),
        }),
      )
      .meta({ description: 'Tasks that agents reported for this conversation (`taskId` of tracked executions).' }),
    metadata: z.record(z.string(), z.unknown()),
    revision,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ConversationDetail' });

export type ConversationDetail = z.output<typeof conversationDetailSchema>;

/** The words of the filter by assignee that are no id. */
const assigneeWords = ['none', 'me'] as const;

export const listConversationsInput = z.object({
  ...paging({ defaultLimit: 20, maximumLimit: 100 }),
  status: z.enum(conversationStatuses).optional(),
  channel: z
    .string()
    .max(50)
    .optional()
    .meta({ examples: ['email'] }),
  labelId: uuid.optional().meta({ description: 'Those that have this label.' }),
  agentId: uuid.optional().meta({ description: 'Those this agent is assigned to.' }),
  isRead: z.boolean().optional(),
  isArchived: z.boolean().default(false).meta({ description: 'True includes archived conversations.' }),
  isSpam: z.boolean().default(false).meta({ description: 'True includes spam.' }),
  isTrashed: z.boolean().default(false).meta({ description: 'True includes the trash.' }),
  folder: z.enum(conversationFolders).optional().meta({
    description:
      'What is in this folder alone, whatever `isArchived`, `isSpam` and `isTrashed` say. `archived` includes those that are `snoozed`.',
  }),
  sort: z.enum(['newest', 'waiting', 'relevance']).default('newest').meta({
    description:
      '`newest`: by newest message, latest first. `waiting`: only those with a `waitingSince`, the longest wait first. `relevance`: with a `query`, the best match first, then the newest.',
  }),
  lastMessageAfter: instantOrDate
    .optional()
    .meta({ description: 'A date means 00:00 UTC of that day.', examples: ['2026-11-21'] }),
  search: text(200).optional().meta({ description: 'A part of subject or preview, ignoring case.' }),
  query: text(200)
    .optional()
    .meta({
      description:
        'Words that one message has, or that words of it begin with, wherever they are: subject, text, names and addresses, names of files. ' +
        '`"in quotes"` for words that follow one another, `-` in front of what it must not have. Operators: `from:`, `to:` (with Cc and Bcc), ' +
        '`subject:`, `has:attachment`, `label:`, and `after:` and `before:` with a date (UTC).',
      examples: ['invoice from:ann has:attachment after:2026-10-01'],
    }),
  participant: emailAddress.optional().meta({ description: 'Those this address takes part in.' }),
  assignee: z
    .union([z.enum(assigneeWords), uuid], { error: 'must be none, me, or the id of a member or an agent' })
    .optional()
    .meta({
      description: 'The id of a member or an agent; `none` for those without an assignee; `me` with the key of an agent.',
      examples: ['none'],
    }),
});

export type ListConversationsInput = z.output<typeof listConversationsInput>;

export const conversationListSchema = z.object({
  conversations: z.array(conversationSchema),
  total: z.int(),
  totalIsExact: z
    .boolean()
    .meta({ description: 'False if more than `total` match, which is possible with a search, agent, participant or date.' }),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  nextCursor,
});

export type ConversationList = z.output<typeof conversationListSchema>;

export const newConversationSchema = z.object({ conversation: conversationSchema, message: messageSchema });

export type NewConversation = z.output<typeof newConversationSchema>;

export const conversationIdInput = z.object({ conversationId: uuid });

const labelIds = z.array(uuid).max(conversationLabelsMaximum);

/** What can be changed in one conversation, and in several at once. */
export const changeableFields = {
  isRead: z.boolean().optional(),
  isArchived: z.boolean().optional(),
  isSpam: z.boolean().optional(),
  status: z.enum(conversationStatuses).optional(),
  assignee: z
    .object({ type: z.enum(assigneeTypes), id: uuid })
    .nullable()
    .optional()
    .meta({ description: 'A member of the business or an active agent; null for no assignee.' }),
  snoozedUntil: instant
    .nullable()
    .optional()
    .meta({
      description:
        'Archives it until then: in the future, at most a year ahead. It is in the inbox again, unread, at that time or when a reply comes ' +
        'in. null: it is in the inbox again now.',
    }),
  addLabels: labelIds
    .optional()
    .meta({ description: `Labels that it has afterwards; at most ${conversationLabelsMaximum} in all.` }),
  removeLabels: labelIds.optional().meta({ description: 'Labels that it does not have afterwards.' }),
};

export const updateConversationInput = conversationIdInput.extend({
  ...changeableFields,
  seenUntil: instant.optional().meta({
    description: 'With `isRead: true`: messages received later stay unread.',
  }),
  unreadFrom: uuid.optional().meta({
    description:
      'With `isRead: false`: the ID of a received message, from which on all become unread. By default, only the last one does.',
  }),
});

export type UpdateConversationInput = z.output<typeof updateConversationInput>;

export const deleteConversationInput = conversationIdInput.extend({
  permanent: z.boolean().default(false).meta({ description: 'If true, it is permanently deleted immediately.' }),
});

export type DeleteConversationInput = z.output<typeof deleteConversationInput>;

export const deletedConversationSchema = z.object({
  success: z.literal(true),
  restorableUntil: timestamp.nullable().meta({ description: 'It can be restored until then; null if permanently deleted.' }),
});

export type DeletedConversation = z.output<typeof deletedConversationSchema>;

export const threadInput = z.object({ conversationId: uuid.optional(), messageId: uuid.optional() });

export type ThreadInput = z.output<typeof threadInput>;

export const threadSchema = z.object({
  thread: z.object({
    id: recordId,
    subject: z.string(),
    participants: z.array(participantSchema),
    messages: z.array(messageSchema),
    lastMessageAt: timestamp,
  }),
});

export type Thread = z.output<typeof threadSchema>;

export const presenceInput = conversationIdInput.extend({
  /** `left` also when the page is hidden. */
  activity: z.enum(['viewing', 'answering', 'left']),
});

export type PresenceInput = z.output<typeof presenceInput>;

/** The other members who have the conversation open. */
export const presenceSchema = z.object({
  others: z.array(z.object({ userId: recordId, name: z.string(), activity: z.enum(['viewing', 'answering']) })),
});

export type Presence = z.output<typeof presenceSchema>;

/** Polled by the dashboard every few seconds: cheap, and different after every change. */
export const liveCountsSchema = z.object({
  /** Changes with every change of any conversation. */
  version: z.string(),
  /** Changes with every change of an event or of a response to an invitation. */
  calendarVersion: z.string(),
  /** Unread conversations of the inbox. */
  unread: z.int(),
  /** All conversations of the inbox, and those outside of it. */
  inbox: z.int(),
  archived: z.int(),
  spam: z.int(),
  trash: z.int(),
  /** Those of the archive that are snoozed. */
  snoozed: z.int(),
  /** Mail in the outbox that failed or waits. */
  failedMails: z.int(),
  waitingMails: z.int(),
  /** Messages in quarantine. */
  quarantined: z.int(),
});

export type LiveCounts = z.output<typeof liveCountsSchema>;
