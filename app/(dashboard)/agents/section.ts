import { Bot } from 'lucide-react';
import { newRequest } from '@/app/_kit/use-new-request';
import { callsOfRecords, matchesAt, type Section } from '../_components/section';

export const agentsSection: Section = {
  entry: { href: '/agents', label: 'Agents', icon: Bot, group: 'main', letter: 'a' },
  creates: { meaning: 'New agent', href: `/agents?${newRequest}`, on: '/agents', needs: 'agents:write' },
  records: {
    agent: { label: 'Agents', icon: Bot, unnamed: 'Agent', href: (id) => `/agents/${id}`, listHref: matchesAt('/agents') },
  },
  calls: callsOfRecords('/agents', 'Agents', 'agentId'),
};
