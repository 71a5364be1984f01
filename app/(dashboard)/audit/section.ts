import { ScrollText } from 'lucide-react';
import type { Section } from '../_components/section';

export const auditSection: Section = {
  entry: { href: '/audit', label: 'Audit log', icon: ScrollText, group: 'setup', letter: 'l' },
  needs: [['/audit', 'audit:read']],
};
