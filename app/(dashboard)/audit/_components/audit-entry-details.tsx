import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CopyButton } from '@/app/_kit/copy-button';
import { useTRPC } from '@/app/_trpc/client';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { auditSearchQuery } from '../search-params';
import { authorName, resourceLabels } from './audit-labels';
import { Value } from './audit-value';
import { type ChangeRow, changeRows, momentOf, partsOf } from './audit-values';
import { exactTime, type ViewersClock } from './log-time';
import { historyId, isGone, recordLink } from './record-link';
import { Restore } from './restore';

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
          <Detail term="Client request ID">
            <TextLink href={`/audit${auditSearchQuery({ request: entry.clientRequestId })}`} title="All changes with this ID">
              <code className="font-mono text-xs break-all">{entry.clientRequestId}</code>
            </TextLink>
          </Detail>
        )}
      </dl>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-label">
        <Restore entry={entry} />
        {place && <TextLink href={place.href}>{place.label}</TextLink>}
        <TextLink href={`/audit${auditSearchQuery({ id: historyId(entry) })}`}>View history</TextLink>
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
  const inName = agent?.id === author.id ? null : agent;
  return (
    <>
      {author.key ? (
        <span>
          Agent {author.name === null ? name : <TextLink href={`/agents/${author.id}`}>{name}</TextLink>} (key{' '}
          <TextLink href="/api-keys">{author.key.name}</TextLink>)
        </span>
      ) : author.kind === 'key' && author.name !== null ? (
        <span>
          API key <TextLink href="/api-keys">{name}</TextLink>
        </span>
      ) : (
        <span className={author.kind === 'database' ? 'text-warning-text' : ''}>
          {name}
          {author.kind === 'database' && ', outside the dashboard, the API and the command line'}
        </span>
      )}
      {inName && (
        <span>
          as {inName.name === null ? 'a former agent' : <TextLink href={`/agents/${inName.id}`}>{inName.name}</TextLink>}
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

interface AuditChangesProps {
  entry: Pick<AuditEntry, 'action' | 'changes'>;
  clock: ViewersClock;
}

/** The values before and after, field by field. A creation has only the latter, a deletion only the former. */
export function AuditChanges({ entry, clock }: AuditChangesProps) {
  const rows = changeRows(entry);
  if (rows.length === 0) return <p className="text-label text-muted">No details</p>;
  const { action } = entry;
  return (
    <table className="w-full table-fixed border-collapse text-label max-md:block" aria-label="Before and after">
      <thead className="max-md:sr-only">
        <tr className="border-b border-separator text-left text-xs text-muted">
          <th scope="col" className="w-44 py-1.5 pr-3 font-medium">
            Field
          </th>
          {action !== 'created' && (
            <th scope="col" className="py-1.5 pr-3 font-medium">
              Before
            </th>
          )}
          {action !== 'deleted' && (
            <th scope="col" className="py-1.5 font-medium">
              {action === 'created' ? 'Value' : 'After'}
            </th>
          )}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <Row key={row.key} row={row} action={action} clock={clock} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, action, clock }: { row: ChangeRow; action: AuditEntry['action']; clock: ViewersClock }) {
  return (
    <tr className="border-b border-separator align-top last:border-b-0 max-md:block max-md:py-2">
      <th
        scope="row"
        className="py-1.5 pr-3 text-left font-normal break-words text-muted first-letter:uppercase max-md:block max-md:py-0"
      >
        {row.name}
      </th>
      {action !== 'created' && (
        <td className="py-1 pr-3 max-md:block max-md:pr-0">
          <Value value={row.before} side="before" clock={clock} />
        </td>
      )}
      {action !== 'deleted' && (
        <td className="py-1 max-md:block">
          <Value value={row.after} side="after" clock={clock} />
        </td>
      )}
    </tr>
  );
}
