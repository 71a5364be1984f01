import { Send } from 'lucide-react';
import type { Section } from '../_components/section';

export const outboxSection: Section = {
  entry: {
    ...{ href: '/outbox', label: 'Sent & delivery', icon: Send, group: 'setup', letter: 'o' },
    badge: { count: 'failedMails', unit: 'failed', tone: 'danger' },
  },
};
