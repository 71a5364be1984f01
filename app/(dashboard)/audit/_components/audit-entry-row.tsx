import { Bot, ChevronRight, Cog, Database, KeyRound, type LucideIcon, UserRound } from 'lucide-react';
import { useId, useState } from 'react';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { authorName } from './audit-labels';
import { needsColon, sentenceOf } from './audit-sentence';
import { clockTime, LogTime, type ViewersClock } from './log-time';

const AuditEntryDetails = onDemandComponent(
  () => import('./audit-entry-details').then((file) => file.AuditEntryDetails),
  <div className="px-4">
    <SkeletonLines lines={3} shape="text" label="Loading change" />
  </div>,
);

interface AuditEntryRowProps {
  entry: AuditEntry;
  clock: ViewersClock;
  /** Ids of records known to be deleted. */
  deleted: ReadonlySet<string>;
}

/** One change in a line, two on a phone; opens its details. */
export function AuditEntryRow({ entry, clock, deleted }: AuditEntryRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  return (
    <li className="border-b border-separator last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={() => setIsOpen(!isOpen)}
        className="grid min-h-11 w-full cursor-pointer grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5 text-left text-label hover:bg-surface-hover focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus md:grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,18rem)_1rem]"
      >
        <LogTime time={entry.occurredAt} clock={clock} write={clockTime} className="max-md:hidden" />
        <Sentence entry={entry} />
        <span className="flex min-w-0 items-center gap-x-2 max-md:order-3 max-md:col-start-1">
          <LogTime time={entry.occurredAt} clock={clock} write={clockTime} className="shrink-0 md:hidden" />
          <Author entry={entry} />
        </span>
        <ChevronRight
          aria-hidden
          className={`size-4 text-muted transition-transform duration-150 max-md:order-2 motion-reduce:transition-none ${isOpen ? 'rotate-90' : ''}`}
        />
      </button>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && <AuditEntryDetails entry={entry} clock={clock} deleted={deleted} />}
      </div>
    </li>
  );
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const sentence = sentenceOf(entry);
  const { lead, name, what } = sentence;
  const end = needsColon(sentence) ? `: ${what}` : what && ` ${what}`;
  return (
    // The name is truncated before the rest of the sentence.
    <span className="flex min-w-0 whitespace-pre max-md:order-1" title={`${lead} ${name}`.trim() + end}>
      <span className="shrink-0">{name ? `${lead} ` : lead}</span>
      <span className="min-w-0 truncate font-medium">{name}</span>
      <span className="max-w-3/5 shrink-0 overflow-hidden text-ellipsis text-muted">{end}</span>
    </span>
  );
}

const authorIcons: Record<AuditEntry['author']['kind'], LucideIcon> = {
  owner: UserRound,
  key: KeyRound,
  agent: Bot,
  system: Cog,
  database: Database,
};

function Author({ entry: { author, agent } }: { entry: AuditEntry }) {
  const Icon = authorIcons[author.kind];
  const name = author.key ? `${authorName(author)} (key ${author.key.name})` : authorName(author);
  // An agent that acts in its own name is named once.
  const inName = agent?.id === author.id ? null : agent;
  return (
    <span
      className={`flex min-w-0 items-center gap-1.5 ${author.kind === 'database' ? 'text-warning-text' : 'text-muted'}`}
      title={inName ? `${name}, as ${inName.name ?? 'a former agent'}` : name}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">
        <span className="sr-only">
          by {author.kind === 'key' && 'API key '}
          {author.kind === 'agent' && 'agent '}
        </span>
        {name}
      </span>
      {inName && (
        <span className="flex min-w-0 items-center gap-1">
          <Bot aria-hidden className="size-3.5 shrink-0" />
          <span className="truncate">
            <span className="sr-only">as </span>
            {inName.name ?? 'a former agent'}
          </span>
        </span>
      )}
    </span>
  );
}
