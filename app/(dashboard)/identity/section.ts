import { Store } from 'lucide-react';
import type { Section } from '../_components/section';

export const identitySection: Section = {
  entry: { href: '/identity', label: 'Business profile', icon: Store, group: 'setup', letter: 'p' },
  calls: [{ path: '/identity', selection: { tag: 'Identity', isAboutRecord: false } }],
};
