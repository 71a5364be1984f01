import { columnHelper, DataTable } from '@/app/_kit/data-table';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { ExecutionList } from '@/server/features/usage/usage.schema';
import { outcomeTones } from './agent-words';

type Execution = ExecutionList['executions'][number];

const helper = columnHelper<Execution>();

const columns = helper.columns([
  helper.display({
    id: 'operation',
    header: 'Operation',
    meta: { phone: 'title' },
    cell: ({ row: { original } }) =>
      original.operation === null ? (
        <span className="font-normal text-muted">not named</span>
      ) : (
        <span title={original.operation}>{original.operation}</span>
      ),
  }),
  helper.display({
    id: 'task',
    header: 'Task',
    meta: { phone: 'line', className: 'md:w-[40%]' },
    cell: ({ row: { original } }) => <TaskId id={original.taskId} />,
  }),
  helper.display({
    id: 'status',
    header: 'Status',
    meta: { phone: 'line-end', className: 'md:w-36' },
    cell: ({ row: { original } }) => (
      <span title={original.status}>
        <StatusBadge tone={outcomeTones[original.outcome]}>
          {/* The reporter's own word, beginning as all others here do. */}
          <span className="inline-block first-letter:uppercase">{original.status}</span>
        </StatusBadge>
      </span>
    ),
  }),
  helper.display({
    id: 'when',
    header: 'When',
    meta: { phone: 'aside', className: 'md:w-28' },
    cell: ({ row: { original } }) => <RelativeTime value={original.createdAt} className="text-muted" />,
  }),
]);

const rowId = (execution: Execution) => execution.id;

/** What an agent did, newest first. */
export function ExecutionTable({ executions }: { executions: readonly Execution[] }) {
  return <DataTable label="Executions, newest first" columns={columns} rows={executions} rowId={rowId} />;
}

function TaskId({ id }: { id: string | null }) {
  if (id === null) return <span className="text-muted max-md:hidden">no task</span>;
  return (
    <code className="font-mono text-xs text-muted" title={id}>
      {id}
    </code>
  );
}
