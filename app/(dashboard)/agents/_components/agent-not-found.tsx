import { RecordNotFound } from '@/app/_kit/record-not-found';

/** Shown if an agent was deleted, belongs to another business or never existed. */
export function AgentNotFound() {
  return <RecordNotFound what="agent" list={{ href: '/agents', label: 'Agents' }} action="Show all agents" />;
}
