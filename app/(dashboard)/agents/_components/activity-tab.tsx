import { Activity } from 'lucide-react';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { LoadMoreList } from '@/app/_kit/list-body';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useTRPC } from '@/app/_trpc/client';
import { useCursorPages } from '@/app/_trpc/use-pages';
import type { ExecutionList } from '@/server/features/usage/usage.schema';
import { outcomeTones } from './agent-labels';

type Execution = ExecutionList['executions'][number];

const columns: readonly DataColumn<Execution>[] = [
  {
    header: 'Action',
    phone: 'title',
    cell: (execution) =>
      execution.operation === null ? (
        <span className="font-normal text-muted">Unnamed</span>
      ) : (
        <span title={execution.operation}>{execution.operation}</span>
      ),
  },
  {
    header: 'Task',
    phone: 'line',
    className: 'md:w-[40%]',
    cell: (execution) => <TaskId id={execution.taskId} />,
  },
  {
    header: 'Status',
    phone: 'line-end',
    className: 'md:w-36',
    cell: (execution) => (
      <span title={execution.status}>
        <StatusBadge tone={outcomeTones[execution.outcome]}>
          {/* The outcome is the reporter's own word, with a capital like all others here. */}
          <span className="inline-block first-letter:uppercase">{execution.status}</span>
        </StatusBadge>
      </span>
    ),
  },
  {
    header: 'When',
    phone: 'aside',
    className: 'md:w-28',
    cell: (execution) => <RelativeTime value={execution.createdAt} className="text-muted" />,
  },
];

function TaskId({ id }: { id: string | null }) {
  if (id === null) return <span className="text-muted max-md:hidden">No task</span>;
  return (
    <code className="font-mono text-xs text-muted" title={id}>
      {id}
    </code>
  );
}

const refreshMilliseconds = 30_000;

/** What the agent did, newest first, as reported by programs. */
export function ActivityTab({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const pages = useCursorPages({
    pageAt: (cursor) => trpc.usage.executions.queryOptions({ agentId, ...cursor }),
    items: 'executions',
    refetchInterval: () => refreshMilliseconds,
  });
  return (
    <LoadMoreList
      label="Activity"
      what="activity"
      more="older actions"
      loadMoreLabel="Show older"
      pages={pages}
      empty={<EmptyState icon={Activity} title="No activity yet" description="Actions this agent takes appear here." />}
    >
      <DataTable label="Actions, newest first" columns={columns} rows={pages.items} />
    </LoadMoreList>
  );
}
