'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Bot, SearchX } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { keysOf } from '@/app/_kit/keys-of';
import { ListPage, useListSearch } from '@/app/_kit/list-page';
import { RelativeTime } from '@/app/_kit/relative-time';
import { Segments } from '@/app/_kit/segments';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentRecord } from '@/server/features/agents/agent.schema';
import { agentSearch, searchMaximum } from '../search-params';
import { AgentAvatar } from './agent-avatar';
import { kindLabel, loadOf, statusLabels } from './agent-labels';
import { NewAgentButton } from './new-agent-button';

const statusChoices = [
  { value: null, label: 'All' },
  ...keysOf(statusLabels).map((status) => ({ value: status, label: statusLabels[status].label })),
] as const;

/** The agents as cards, with search and a status filter. */
export function AgentGallery() {
  const trpc = useTRPC();
  const { search, setSearch } = useListSearch(agentSearch);
  const result = useQuery(
    trpc.agents.list.queryOptions(agentSearch.input(search), {
      placeholderData: keepPreviousData,
      select: ({ agents, total, pagination }) => ({ rows: agents, total, totalIsExact: true, hasMore: pagination.hasMore }),
    }),
  );
  const { data: mail } = useQuery(trpc.agentMail.agents.queryOptions({}));
  const withoutMail = new Set(mail?.withoutMail.map(({ id }) => id));
  return (
    <ListPage
      path="/agents"
      label="Agents"
      one="agent"
      many="agents"
      order="by name"
      definition={agentSearch}
      result={result}
      searchHint="Search name, type and email address. * matches any characters, ? matches one."
      searchMaximum={searchMaximum}
      filters={
        <Segments label="Status" segments={statusChoices} value={search.status} onChange={(status) => setSearch({ status })} />
      }
      none={
        <EmptyState
          icon={Bot}
          title="No agents yet"
          description="Agents read email, draft replies and ask you when they need help."
          action={<NewAgentButton />}
        />
      }
      noMatch={
        <EmptyState
          icon={SearchX}
          title="No agents found"
          description={noMatchReason(search.q)}
          action={
            <Button variant="secondary" onPress={() => setSearch(null)}>
              {search.q === '' ? 'Show all agents' : 'Clear search and filter'}
            </Button>
          }
        />
      }
      cardSkeleton={<GallerySkeleton />}
    >
      {(agents, isStale) => (
        <ul
          aria-busy={isStale}
          className={`transition-opacity duration-150 ${galleryGrid} ${isStale ? 'opacity-60 delay-150' : ''}`}
        >
          {agents.map((agent) => (
            <li key={agent.id} className="min-w-0">
              <AgentCard agent={agent} hasNoMail={withoutMail.has(agent.id)} />
            </li>
          ))}
        </ul>
      )}
    </ListPage>
  );
}

function noMatchReason(q: string): string {
  if (q === '') return 'No agents have this status.';
  if (/[*?]/.test(q)) return 'With * or ?, the whole name must match. Add * before or after your text.';
  return 'Search covers name, type and email address. Use * for any characters, such as inbox-*.';
}

/** One column on a phone, as many as fit elsewhere. */
const galleryGrid = 'grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3';

/** An agent's card: name, mail address and load. The whole card is a link. */
function AgentCard({ agent, hasNoMail }: { agent: AgentRecord; hasNoMail: boolean }) {
  const locale = useViewerLocale();
  const isArchived = agent.status === 'archived';
  const status = statusLabels[agent.status];
  const domain = agent.email.slice(agent.roleId.length);
  return (
    <article
      className={`relative flex h-full flex-col rounded-lg border border-border hover:border-border-secondary has-focus-visible:outline-2 has-focus-visible:outline-focus ${
        isArchived ? 'bg-background-secondary' : 'bg-surface hover:bg-surface-hover'
      }`}
    >
      <div className="flex items-start gap-3 p-4 pb-3">
        <AgentAvatar name={agent.name} url={agent.avatarUrl} emoji={agent.avatarEmoji} isDimmed={isArchived} />
        <div className="min-w-0 flex-1">
          <div className="flex items-start justify-between gap-2">
            <h2 className="truncate font-semibold" title={agent.name}>
              <Link
                href={`/agents/${agent.id}`}
                prefetch={false}
                className={`after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none ${isArchived ? 'text-muted' : ''}`}
              >
                {agent.name}
              </Link>
            </h2>
            <span className="flex shrink-0 gap-1.5">
              {hasNoMail && <StatusBadge tone="danger">No email</StatusBadge>}
              <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
            </span>
          </div>
          <p className="truncate text-label text-muted" title={agent.email}>
            <span className={isArchived ? '' : 'text-foreground'}>{agent.roleId}</span>
            {domain}
          </p>
        </div>
      </div>
      <p className="truncate px-4 pb-3 text-label text-muted" title={agent.kind}>
        <span className="sr-only">Type: </span>
        <span className="inline-block first-letter:uppercase">{kindLabel(agent.kind)}</span>
      </p>
      <div className="mt-auto flex items-center justify-between gap-3 border-t border-separator px-4 py-2.5 text-label text-muted">
        <span className={`truncate ${agent.activeTasks > 0 ? 'text-foreground' : ''}`}>
          {loadOf(agent.activeTasks, agent.activeTasks.toLocaleString(locale))}
        </span>
        <span className="shrink-0">
          {agent.lastActiveAt === null ? (
            'Never active'
          ) : (
            <>
              Last active <RelativeTime value={agent.lastActiveAt} />
            </>
          )}
        </span>
      </div>
    </article>
  );
}

export function GallerySkeleton() {
  return (
    <div role="status" aria-label="Loading agents" className={`skeleton-late ${galleryGrid}`}>
      {[0, 1, 2, 3, 4, 5].map((card) => (
        <div
          key={card}
          className="flex h-37 animate-pulse flex-col justify-between rounded-lg border border-border bg-surface p-4"
        >
          <div className="flex items-center gap-3">
            <div className="size-10 rounded-lg bg-default" />
            <div className="flex flex-1 flex-col gap-2">
              <div className="h-3 w-1/2 rounded-sm bg-default" />
              <div className="h-3 w-3/4 rounded-sm bg-default" />
            </div>
          </div>
          <div className="h-3 w-2/3 rounded-sm bg-default" />
        </div>
      ))}
    </div>
  );
}
