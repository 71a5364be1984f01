import { Bot } from 'lucide-react';
import { ButtonLink } from '@/app/_components/button-link';
import { EmptyState } from '@/app/_components/empty-state';
import { PageHeader } from '@/app/_components/page-header';

/** Stands where an agent belongs to another business or never existed. */
export function AgentNotFound() {
  return (
    <>
      <PageHeader title="Agent not found" back={{ href: '/agents', label: 'Agents' }} />
      <div className="rounded-lg border border-border bg-surface">
        <EmptyState
          icon={Bot}
          title="There is no agent at this address"
          description="The address may be mistyped, or the agent may belong to another business of yours."
          action={
            <ButtonLink href="/agents" variant="primary">
              Show all agents
            </ButtonLink>
          }
        />
      </div>
    </>
  );
}
