import { PageHeader } from '@/app/_kit/page-header';
import { NewAgentButton } from './new-agent-button';

/** The head of the gallery. */
export function AgentsHeader() {
  return <PageHeader title="Agents" primaryAction={<NewAgentButton />} />;
}
