import { Inbox, Mail } from 'lucide-react';
import { callsOfRecords, matchesAt, type Section } from '../_components/section';

export const inboxSection: Section = {
  entry: {
    ...{ href: '/inbox', label: 'Inbox', icon: Inbox, group: 'main', letter: 'i' },
    badge: { count: 'unread', unit: 'unread', tone: 'plain' },
  },
  needs: [['/inbox/new', 'conversations:send']],
  creates: { meaning: 'New email', href: '/inbox/new', on: '/inbox', needs: 'conversations:send' },
  records: {
    conversation: {
      ...{ label: 'Conversations', icon: Mail, unnamed: '(no subject)' },
      href: (id) => `/inbox/${id}`,
      listHref: matchesAt('/inbox'),
    },
  },
  calls: [
    { path: '/inbox/new', selection: { operations: ['conversations-create', 'conversations-uploadAttachment'] } },
    ...callsOfRecords('/inbox', 'Conversations', 'conversationId', [
      'conversations-attachment',
      'conversations-uploadAttachment',
    ]),
  ],
};
