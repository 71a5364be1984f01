import { feature } from '@/server/platform/feature';
import { sendJobs } from '../outbox/sending.service';
import { assigneeJobs } from './assignee';
import { conversationsRouter } from './conversation.router';
import { recordDelivery } from './delivery.service';
import { mergeJobs } from './merge';
import { messagePageJobs } from './message-page.service';
import { presenceJobs } from './presence.service';
import { trashJobs } from './trash.service';

export const conversations = feature({
  name: 'conversations',
  routers: { conversations: conversationsRouter },
  jobs: [sendJobs(recordDelivery), messagePageJobs, mergeJobs, trashJobs, assigneeJobs, presenceJobs],
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
        'conversation_counts',
        'conversation_presence',
      ],
    },
  ],
});
