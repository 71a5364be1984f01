import { CopyButton } from '@/app/_kit/copy-button';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { SecurityEventRecord } from '@/server/features/audit/security.schema';
import { shortTime, type ViewersClock } from './audit-days';
import { LogTime } from './log-list';
import { originInWords, reasonInWords, securityKindWords, subjectInWords } from './security-words';

/** One cause of one minute: what was refused, why, about what, from where and how often. Two lines on a phone. */
export function SecurityEventRow({ event, clock }: { event: SecurityEventRecord; clock: ViewersClock }) {
  const subject = subjectInWords(event);
  return (
    <li className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b border-separator px-4 py-1.5 text-label last:border-b-0 md:grid-cols-[8rem_minmax(0,2fr)_minmax(0,1fr)_minmax(0,9rem)_auto]">
      <LogTime time={event.lastAt} clock={clock} write={shortTime} className="max-md:col-start-1 max-md:row-start-3" />
      <span className="flex min-w-0 items-center gap-x-2 max-md:col-span-2">
        <span className="min-w-0 truncate" title={`${securityKindWords[event.kind]}: ${reasonInWords(event.reason)}`}>
          <span className="font-medium">{securityKindWords[event.kind]}</span>
          <span className="text-muted"> · {reasonInWords(event.reason)}</span>
        </span>
        {event.count > 1 && <StatusBadge tone="warning">{event.count} times</StatusBadge>}
      </span>
      <span className="truncate text-muted max-md:col-span-2" title={subject}>
        {subject}
      </span>
      <span className="truncate font-mono text-xs text-muted max-md:row-start-3 max-md:justify-self-end" title={event.address}>
        <span className="sr-only">from </span>
        {originInWords(event.address)}
      </span>
      <span className="max-md:hidden">
        {event.requestId && <CopyButton size="sm" value={event.requestId} label="Copy request id" />}
      </span>
    </li>
  );
}
