import { House } from 'lucide-react';
import type { Section } from './_components/section';

export const homeSection: Section = {
  entry: { href: '/', label: 'Home', icon: House, group: 'main', letter: 'h' },
  calls: [{ path: '/', selection: { operations: ['conversations-list', 'calendar-list', 'customers-list', 'usage-stats'] } }],
};
