import { Settings } from 'lucide-react';
import { newRequest } from '@/app/_kit/use-new-request';
import { callsOfRecords, type Section } from '../_components/section';

const labelCalls = ['list', 'create', 'get', 'update', 'delete'].map((name) => `labels-${name}`);
const blockedSenderCalls = ['list', 'create', 'delete'].map((name) => `blockedSenders-${name}`);
const mailboxCalls = [
  ...['list', 'create', 'check', 'get', 'update', 'read', 'delete'].map((name) => `mailboxes-${name}`),
  ...['list', 'get', 'set', 'delete'].map((name) => `mailboxClients-${name}`),
];
const snippetCalls = ['list', 'create', 'get', 'update', 'delete', 'fill'].map((name) => `snippets-${name}`);

export const settingsSection: Section = {
  entry: { href: '/settings', label: 'Settings', icon: Settings, group: 'setup', letter: 't' },
  needs: [['/settings/webhooks', 'webhooks:read']],
  creates: {
    ...{ meaning: 'New webhook', href: `/settings/webhooks?${newRequest}`, on: '/settings/webhooks' },
    needs: 'webhooks:write',
  },
  calls: [
    { path: '/settings/team', selection: { operations: ['members-list'] } },
    { path: '/settings/labels', selection: { operations: labelCalls } },
    { path: '/settings/blocked-senders', selection: { operations: blockedSenderCalls } },
    { path: '/settings/mailboxes', selection: { operations: mailboxCalls } },
    { path: '/settings/snippets', selection: { operations: snippetCalls } },
    { path: '/settings/events', selection: { tag: 'Events', isAboutRecord: false } },
    ...callsOfRecords('/settings/webhooks', 'Webhooks', 'webhookId'),
  ],
};
