import { feature } from '@/server/platform/feature';
import { router } from '@/server/platform/trpc/trpc';
import { sendingJobs } from '../outbox/sending.service';
import { unassignAllFormerMembers, unassignMember } from './assignee';
import { blockedSendersRouter } from './blocked-sender.router';
import { conversationProcedures } from './conversation.router';
import { bulkProcedures } from './conversation-bulk.router';
import { recordDelivery } from './delivery.service';
import { draftsRouter } from './draft.router';
import { labelsRouter } from './label.router';
import { removeLabelJob } from './label.service';
import { removeOldMerges } from './merge';
import { messageProcedures } from './message.router';
import { messageRendering } from './message-page.service';
import { messageIndexing, requestMessageIndexing } from './message-search';
import { removeOldPresence } from './presence.service';
import { scheduledEmailsRouter } from './scheduled.router';
import { snippetsRouter } from './snippet.router';
import { endSnoozeJob } from './snooze.service';
import { removeOldTrash } from './trash.service';
import { removeUnusedUploads } from './upload.service';

export const conversations = feature({
  name: 'conversations',
  routers: {
    conversations: router({ ...conversationProcedures, ...messageProcedures, ...bulkProcedures }),
    drafts: draftsRouter,
    scheduledEmails: scheduledEmailsRouter,
    snippets: snippetsRouter,
    labels: labelsRouter,
    blockedSenders: blockedSendersRouter,
  },
  jobs: [...sendingJobs(recordDelivery), messageRendering, messageIndexing, unassignMember, endSnoozeJob, removeLabelJob],
  begin: requestMessageIndexing,
  removals: [removeOldMerges, removeOldTrash, unassignAllFormerMembers, removeOldPresence, removeUnusedUploads],
  api: { tags: [{ name: 'Conversations', description: 'Received emails and the replies to them, as threads.' }] },
  tables: [
    {
      names: [
        'conversations',
        'merged_conversations',
        'messages',
        'deleted_messages',
        'conversation_participants',
        'conversation_agents',
        'conversation_notes',
        'attachments',
        'message_renderings',
        'message_search',
        'conversation_counts',
        'conversation_presence',
        'mail_drafts',
        'mail_snippets',
        'conversation_labels',
        'blocked_senders',
      ],
    },
  ],
});
