'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { CopyPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId } from 'react';
import { CopyButton } from '@/app/_kit/copy-button';
import { errorFacts } from '@/app/_kit/error-facts';
import { HistoryLink } from '@/app/_kit/history-link';
import { LocalNumber } from '@/app/_kit/local-number';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PageHeader } from '@/app/_kit/page-header';
import { PendingButton } from '@/app/_kit/pending-button';
import { isPlainClick } from '@/app/_kit/plain-click';
import { QueryResult } from '@/app/_kit/query-result';
import { RecordNotFound } from '@/app/_kit/record-not-found';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { toast } from '@/app/_kit/toast';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useTRPC } from '@/app/_trpc/client';
import type { AgentDetail, AgentStats as Stats } from '@/server/features/agents/agent.schema';
import { AgentAvatar } from './agent-avatar';
import { percentOf } from './agent-labels';
import { AgentMailProblem } from './agent-mail-notice';
import { PersonaTab } from './persona-tab';
import { StatusMenu } from './status-menu';
import { useStoreAgent } from './use-store-agent';

const tabKeys = ['persona', 'routes', 'activity', 'configuration'] as const;

type TabKey = (typeof tabKeys)[number];

const labels: Record<TabKey, string> = {
  persona: 'Profile',
  routes: 'Escalation',
  activity: 'Activity',
  configuration: 'Settings',
};

interface AgentTabsProps {
  /** Path of the page; a tab adds a query to it. */
  path: string;
  current: TabKey;
  onChange: (tab: TabKey) => void;
  /** Content of the current tab. */
  children: ReactNode;
}

/** Arrow keys, Home and End move the focus along the tabs. Enter opens the focused one, since leaving may need confirmation. */
function walkTabs(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const index = tabs.indexOf(event.target as HTMLElement);
  const targets: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 };
  const target = targets[event.key];
  if (index === -1 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key === ' ') {
    event.preventDefault();
    tabs[index]?.click();
  }
  if (target === undefined) return;
  event.preventDefault();
  tabs.at(target % tabs.length)?.focus();
}

/** The agent's four tabs. They are links, so that each has an address, opens in another tab and is a step in the history. */
function AgentTabs({ path, current, onChange, children }: AgentTabsProps) {
  const id = useId();
  const follow = (event: MouseEvent, tab: TabKey) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onChange(tab);
  };
  return (
    <>
      <div className="mb-6 overflow-x-auto border-b border-border max-sm:-mx-4 max-sm:px-4 [scrollbar-width:none]">
        <div role="tablist" aria-label="Agent" onKeyDown={walkTabs} className="flex gap-1 sm:gap-2">
          {tabKeys.map((tab) => {
            const isCurrent = tab === current;
            return (
              <a
                key={tab}
                id={`${id}-${tab}`}
                role="tab"
                href={tab === 'persona' ? path : `${path}?tab=${tab}`}
                aria-selected={isCurrent}
                aria-controls={isCurrent ? `${id}-panel` : undefined}
                tabIndex={isCurrent ? 0 : -1}
                onClick={(event) => follow(event, tab)}
                className={`flex h-10 shrink-0 items-center border-b-2 px-2 whitespace-nowrap -outline-offset-2 sm:px-3 ${
                  isCurrent ? 'border-accent font-medium text-foreground' : 'border-transparent text-muted hover:text-foreground'
                }`}
              >
                {labels[tab]}
              </a>
            );
          })}
        </div>
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}

// Most visits do not need these.
const RoutesTab = onDemandComponent(
  () => import('./routes-tab').then((module) => module.RoutesTab),
  <SkeletonLines shape="text" lines={8} label="Loading escalation steps" />,
);

const ActivityTab = onDemandComponent(
  () => import('./activity-tab').then((module) => module.ActivityTab),
  <SkeletonLines shape="text" lines={8} label="Loading activity" />,
);

const ConfigurationTab = onDemandComponent(
  () => import('./configuration-tab').then((module) => module.ConfigurationTab),
  <SkeletonLines shape="text" lines={8} label="Loading settings" />,
);

/** An agent's page: its header and numbers, and one of its four tabs. */
export function AgentView({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.agents.get.queryOptions({ agentId }));
  const { data, error } = query;
  if (error && ['not_found', 'invalid_request'].includes(errorFacts(error).code)) return <RecordNotFound what="agent" />;
  return (
    <>
      {!data && <PageHeader title="Agent" back={{ href: '/agents', label: 'Agents' }} />}
      <QueryResult query={query} failure="Couldn’t load the agent" loading="Loading agent" lines={8}>
        {(agent) => <LoadedAgent key={agent.id} agent={agent} />}
      </QueryResult>
    </>
  );
}

function LoadedAgent({ agent }: { agent: AgentDetail }) {
  const [tab, setTab] = useQueryState(
    'tab',
    parseAsStringLiteral(tabKeys).withDefault('persona').withOptions({ history: 'push' }),
  );
  return (
    <>
      <AgentHeader agent={agent} />
      <AgentMailProblem agentId={agent.id} />
      <AgentStats stats={agent.stats} />
      <AgentTabs path={`/agents/${agent.id}`} current={tab} onChange={(next) => void setTab(next)}>
        <TabContent tab={tab} agent={agent} />
      </AgentTabs>
    </>
  );
}

function TabContent({ tab, agent }: { tab: TabKey; agent: AgentDetail }) {
  switch (tab) {
    case 'persona':
      return <PersonaTab agent={agent} />;
    case 'routes':
      return <RoutesTab agentId={agent.id} />;
    case 'activity':
      return <ActivityTab agentId={agent.id} />;
    case 'configuration':
      return <ConfigurationTab agent={agent} />;
  }
}

/** The agent's current and past work in numbers. */
function AgentStats({ stats }: { stats: Stats }) {
  return (
    <dl className="mb-6 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-border bg-border sm:grid-cols-4 xl:grid-cols-7">
      <Tile term="In progress">
        <LocalNumber value={stats.activeTasks} />
      </Tile>
      <Tile term="Completed">
        <LocalNumber value={stats.completedTasks} />
      </Tile>
      <Tile term="Completion rate" title="Share of finished tasks that were completed">
        {stats.totalActions === 0 ? <NoneYet /> : percentOf(stats.completionRate)}
      </Tile>
      <Tile term="Hours saved" title="Counts 15 minutes per completed task unless reported otherwise">
        <LocalNumber value={Math.round(stats.hoursSaved * 10) / 10} />
      </Tile>
      <Tile term="Escalations" title="Handed to a person">
        <LocalNumber value={stats.escalations} />
      </Tile>
      <Tile term="Tasks" title="Recorded tasks">
        <LocalNumber value={stats.totalActions} />
      </Tile>
      <Tile term="Last active" className="col-span-2 xl:col-span-1">
        {stats.lastActiveAt === null ? 'Never' : <RelativeTime value={stats.lastActiveAt} />}
      </Tile>
    </dl>
  );
}

interface TileProps {
  term: string;
  title?: string;
  className?: string;
  children: ReactNode;
}

function Tile({ term, title, className = '', children }: TileProps) {
  return (
    <div
      title={title}
      className={`bg-surface px-4 py-3 max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-2 max-sm:px-3 max-sm:py-2 ${className}`}
    >
      <dt className="text-label text-muted">{term}</dt>
      <dd className="mt-0.5 text-title font-semibold tracking-tight whitespace-nowrap max-sm:text-sm">{children}</dd>
    </div>
  );
}

function NoneYet() {
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">None yet</span>
    </>
  );
}

/** The agent's name and mail address, with status and copy actions. */
function AgentHeader({ agent }: { agent: AgentDetail }) {
  const trpc = useTRPC();
  const router = useRouter();
  const storeAgent = useStoreAgent();
  const { persona } = agent.config;
  const duplicate = useMutation(
    trpc.agents.duplicate.mutationOptions({
      onSuccess: (copy) => {
        storeAgent(copy);
        router.push(`/agents/${copy.id}`);
        toast('Agent duplicated', { description: 'Paused until you activate it.' });
      },
      onError: (error) => toast.failure('Couldn’t duplicate the agent.', error),
    }),
  );
  return (
    <PageHeader
      back={{ href: '/agents', label: 'Agents' }}
      leading={
        <AgentAvatar
          size="lg"
          name={agent.name}
          url={agent.avatarUrl || (persona.avatarUrl ?? '')}
          emoji={persona.avatarEmoji ?? ''}
          isDimmed={agent.status === 'archived'}
        />
      }
      title={<span title={agent.name}>{agent.name}</span>}
      description={
        <span className="-my-1.5 flex min-w-0 items-center gap-1">
          <span className="truncate" title={agent.email}>
            {agent.email}
          </span>
          <CopyButton size="sm" value={agent.email} label="Copy email address" />
        </span>
      }
      actions={
        <>
          <HistoryLink id={agent.id} subject="this agent" className="mr-1" />
          <StatusMenu agent={agent} />
          <PendingButton
            variant="secondary"
            needs="agents:write"
            isPending={duplicate.isPending}
            onPress={() => leavePage(() => duplicate.mutate({ agentId: agent.id }))}
          >
            <CopyPlus aria-hidden />
            Duplicate
          </PendingButton>
        </>
      }
    />
  );
}
