import { RecordNotFound } from '@/app/_kit/record-not-found';

/** Stands where an agent was deleted, belongs to another business or never existed. */
export function AgentNotFound() {
  return <RecordNotFound what="agent" list={{ href: '/agents', label: 'Agents' }} action="Show all agents" />;
}
