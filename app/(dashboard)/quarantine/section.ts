import { ShieldAlert } from 'lucide-react';
import type { Section } from '../_components/section';

export const quarantineSection: Section = {
  entry: {
    ...{ href: '/quarantine', label: 'Blocked messages', icon: ShieldAlert, group: 'setup', isOccasional: true },
    badge: { count: 'quarantined', unit: 'blocked', tone: 'plain' },
  },
};
