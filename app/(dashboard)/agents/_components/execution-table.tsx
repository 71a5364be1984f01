import { RelativeTime } from '@/app/_components/relative-time';
import { StatusBadge } from '@/app/_components/status-badge';
import type { ExecutionList } from '@/server/modules/usage/usage.schema';
import { outcomeTones } from './agent-words';

type Execution = ExecutionList['executions'][number];

/** Executions in rows of 44 px; on a phone the task folds under the operation. */
export function ExecutionTable({ executions }: { executions: readonly Execution[] }) {
  return (
    <table className="w-full table-fixed text-left text-label">
      <caption className="sr-only">Executions, newest first</caption>
      <thead className="border-b border-separator text-muted max-sm:sr-only">
        <tr>
          <th scope="col" className="h-9 w-36 pr-2 pl-4 font-medium">
            Status
          </th>
          <th scope="col" className="px-2 font-medium">
            Operation
          </th>
          <th scope="col" className="px-2 font-medium max-sm:hidden">
            Task
          </th>
          <th scope="col" className="w-28 pr-4 pl-2 text-right font-medium">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {executions.map((execution) => (
          <tr key={execution.id} className="border-b border-separator last:border-b-0">
            <td className="h-11 w-36 truncate pr-2 pl-4 max-sm:w-26" title={execution.status}>
              <StatusBadge tone={outcomeTones[execution.outcome]}>{execution.status}</StatusBadge>
            </td>
            <td className="truncate px-2 py-2">
              <div className="truncate" title={execution.operation ?? undefined}>
                {execution.operation ?? <span className="text-muted">not named</span>}
              </div>
              <div className="truncate sm:hidden">
                <TaskId id={execution.taskId} />
              </div>
            </td>
            <td className="truncate px-2 max-sm:hidden">
              <TaskId id={execution.taskId} />
            </td>
            <td className="w-28 pr-4 pl-2 text-right text-muted max-sm:w-22 max-sm:pl-0">
              <RelativeTime value={execution.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TaskId({ id }: { id: string | null }) {
  if (id === null) return <span className="text-muted max-sm:hidden">no task</span>;
  return (
    <code className="font-mono text-xs text-muted" title={id}>
      {id}
    </code>
  );
}
