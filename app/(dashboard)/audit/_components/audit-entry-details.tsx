'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CopyButton } from '@/app/_kit/copy-button';
import { useTRPC } from '@/app/_trpc/client';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { auditSearchQuery } from '../search-params';
import { AuditChanges } from './audit-changes';
import { authorName, resourceLabels } from './audit-labels';
import { momentOf, partsOf } from './audit-values';
import { exactTime, type ViewersClock } from './log-time';
import { historyId, isGone, recordLink } from './record-link';

interface AuditEntryDetailsProps {
  entry: AuditEntry;
  clock: ViewersClock;
  deleted: ReadonlySet<string>;
}

/** All details of a change: values before and after, time, author, request, and links. */
export function AuditEntryDetails({ entry, clock, deleted }: AuditEntryDetailsProps) {
  const place = isGone(entry, deleted) ? null : recordLink(entry);
  return (
    <div className="flex flex-col gap-4 bg-background-secondary px-4 py-4 md:pl-[6.25rem]">
      {entry.action === 'created' ? <CreatedParts entry={entry} clock={clock} /> : <AuditChanges entry={entry} clock={clock} />}
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-label">
        <Detail term="When">{exactTime(entry.occurredAt, clock)}</Detail>
        <Detail term="Who">
          <Who entry={entry} />
        </Detail>
        {entry.requestId && (
          <Detail term="Request">
            <TextLink href={`/audit${auditSearchQuery({ request: entry.requestId })}`} title="All changes of this request">
              <code className="font-mono text-xs break-all">{entry.requestId}</code>
            </TextLink>
            <span className="-my-1.5">
              <CopyButton size="sm" value={entry.requestId} label="Copy request ID" />
            </span>
          </Detail>
        )}
        {entry.clientRequestId && (
          <Detail term="Client’s own id">
            <TextLink href={`/audit${auditSearchQuery({ request: entry.clientRequestId })}`} title="All changes under this id">
              <code className="font-mono text-xs break-all">{entry.clientRequestId}</code>
            </TextLink>
          </Detail>
        )}
      </dl>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-label">
        {place && <TextLink href={place.href}>{place.label}</TextLink>}
        <TextLink href={`/audit${auditSearchQuery({ id: historyId(entry) })}`}>Whole history</TextLink>
      </p>
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

function Who({ entry: { author, agent } }: { entry: AuditEntry }) {
  const name = authorName(author);
  return (
    <>
      {author.kind === 'key' && author.name !== null ? (
        <span>
          API key <TextLink href="/api-keys">{name}</TextLink>
        </span>
      ) : (
        <span className={author.kind === 'database' ? 'text-warning-text' : ''}>
          {name}
          {author.kind === 'database' && ': past the dashboard, the API and the command line'}
        </span>
      )}
      {agent && (
        <span>
          in the name of {agent.name === null ? 'a former agent' : <TextLink href={`/agents/${agent.id}`}>{agent.name}</TextLink>}
        </span>
      )}
    </>
  );
}

function TextLink({ href, title, children }: { href: string; title?: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      title={title}
      className="text-accent-text underline decoration-border-tertiary underline-offset-2 hover:decoration-current"
    >
      {children}
    </Link>
  );
}

interface CreatedPartsProps {
  entry: AuditEntry;
  clock: ViewersClock;
}

/** The values of a new record: its own fields and the parts created with it (a customer's contacts, an event's invitees). */
function CreatedParts({ entry, clock }: CreatedPartsProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.audit.list.queryOptions(
      { resourceId: entry.resourceId, action: 'created', ...momentOf(entry), limit: 100 },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const parts = partsOf(entry, data?.entries ?? []);
  return (
    <>
      {(entry.changes.length > 0 || (data && parts.length === 0)) && <AuditChanges entry={entry} clock={clock} />}
      {parts.map((part) => (
        <section key={part.id} aria-label={`${resourceLabels[part.resource].one} ${part.label}`}>
          <h3 className="text-label font-medium">
            {resourceLabels[part.resource].one} {part.label}
          </h3>
          <AuditChanges entry={part} clock={clock} />
        </section>
      ))}
    </>
  );
}
