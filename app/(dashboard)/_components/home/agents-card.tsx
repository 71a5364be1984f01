import Link from 'next/link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { Home } from '@/server/features/home/home.schema';
import { agentHref, cappedCount } from './attention';
import { CardLink } from './card-link';

/** Agents that failed lately or are paused, each with the way to its page. */
export function AgentsCard({ agents: { paused, shown } }: { agents: Home['agents'] }) {
  return (
    <SectionCard
      title="Agents to look at"
      flush
      actions={
        paused > 0 ? (
          <CardLink href="/agents?status=paused">{`${cappedCount(paused)} paused`}</CardLink>
        ) : (
          <CardLink href="/agents">All agents</CardLink>
        )
      }
    >
      <ul>
        {shown.map((agent) => (
          <li key={agent.id} className="border-b border-separator last:border-b-0">
            <Link href={agentHref(agent)} prefetch={false} className="block px-5 py-2.5 -outline-offset-2 hover:bg-surface-hover">
              <span className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate font-medium" title={agent.name}>
                  {agent.name}
                </span>
                {agent.failures > 0 && <StatusBadge tone="danger">Failing</StatusBadge>}
                {agent.status === 'paused' && <StatusBadge tone="warning">Paused</StatusBadge>}
              </span>
              <span className="mt-0.5 block truncate text-label text-muted">
                {agent.lastFailedAt === null ? (
                  'Takes up nothing new'
                ) : (
                  <Failures agent={agent} lastFailedAt={agent.lastFailedAt} />
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}

function Failures({ agent, lastFailedAt }: { agent: Home['agents']['shown'][number]; lastFailedAt: string }) {
  return (
    <>
      {cappedCount(agent.failures)} failed in three days, last <RelativeTime value={lastFailedAt} />
    </>
  );
}
