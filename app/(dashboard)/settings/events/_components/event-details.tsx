import Link from 'next/link';
import type { ReactNode } from 'react';
import { CopyButton } from '@/app/_kit/copy-button';
import type { AuditChange } from '@/server/features/audit/audit.schema';
import type { EventRecord } from '@/server/features/events/event.schema';
import { AuditChanges } from '../../../audit/_components/audit-entry-details';
import { exactTime, useViewersClock } from '../../../audit/_components/log-time';
import { CodeBlock } from '../../_components/code-block';
import { fieldChanges, objectLink } from './event-labels';

const linkLook = 'text-accent-text underline decoration-border-tertiary underline-offset-2 hover:decoration-current';

/** What an event changed, and the event as programs get it. */
export function EventDetails({ event }: { event: EventRecord }) {
  const clock = useViewersClock();
  const changes = fieldChanges(event) as AuditChange[];
  const place = objectLink(event);
  return (
    <div className="flex flex-col gap-4 bg-background-secondary px-4 py-4">
      {changes.length > 0 && <AuditChanges entry={{ changes, action: 'updated' }} clock={clock} />}
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-label">
        <Detail term="Type">
          <code className="font-mono text-xs">{event.type}</code>
        </Detail>
        <Detail term="When">{exactTime(event.createdAt, clock)}</Detail>
        <Detail term="Version">{event.object.version}</Detail>
        <Detail term="Event ID">
          <code className="font-mono text-xs break-all">{event.id}</code>
          <span className="-my-1.5">
            <CopyButton size="sm" value={event.id} label="Copy event ID" />
          </span>
        </Detail>
        {event.requestId && (
          <Detail term="Request">
            <Link href={`/audit?request=${encodeURIComponent(event.requestId)}`} prefetch={false} className={linkLook}>
              <code className="font-mono text-xs break-all">{event.requestId}</code>
            </Link>
          </Detail>
        )}
      </dl>
      {place && (
        <p className="text-label">
          <Link href={place.href} prefetch={false} className={linkLook}>
            {place.label}
          </Link>
        </p>
      )}
      <CodeBlock title="Event as JSON" code={JSON.stringify(event, null, 2)} copyLabel="Copy event" />
    </div>
  );
}

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2">
      <dt className="text-muted">{term}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-1">{children}</dd>
    </div>
  );
}
