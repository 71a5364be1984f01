import type { ReactNode } from 'react';
import { LocalNumber } from '@/app/_kit/local-number';
import { RelativeTime } from '@/app/_kit/relative-time';
import type { AgentStats as Stats } from '@/server/features/agents/agent.schema';
import { percentOf } from './agent-labels';

/** What the agent has under way and has done, at a glance. */
export function AgentStats({ stats }: { stats: Stats }) {
  return (
    <dl className="mb-6 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-border bg-border sm:grid-cols-4 xl:grid-cols-7">
      <Tile term="Under way">
        <LocalNumber value={stats.activeTasks} />
      </Tile>
      <Tile term="Completed">
        <LocalNumber value={stats.completedTasks} />
      </Tile>
      <Tile term="Completion rate" title="Completed of all tasks that ended">
        {stats.totalActions === 0 ? <NoneYet /> : percentOf(stats.completionRate)}
      </Tile>
      <Tile term="Hours saved" title="15 minutes for each completed task, unless its report says otherwise">
        <LocalNumber value={Math.round(stats.hoursSaved * 10) / 10} />
      </Tile>
      <Tile term="Escalations" title="Executions handed to a person">
        <LocalNumber value={stats.escalations} />
      </Tile>
      <Tile term="Actions" title="Tracked executions">
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
