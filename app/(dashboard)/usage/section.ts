import { Gauge } from 'lucide-react';
import type { Section } from '../_components/section';

export const usageSection: Section = {
  entry: { href: '/usage', label: 'Usage', icon: Gauge, group: 'main', letter: 's' },
  calls: [{ path: '/usage', selection: { tag: 'Usage', isAboutRecord: false } }],
};
