import { Bot, ChevronRight, Cog, Database, KeyRound, type LucideIcon, UserRound } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { authorName } from './audit-labels';
import { needsColon, sentenceOf } from './audit-sentence';
import { type AuditRow, foldSentence } from './fold-entries';
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
  isOpen: boolean;
  onToggle: () => void;
}

/** One change in a line, two on a phone; opens its details. */
export function AuditEntryRow({ entry, clock, deleted, isOpen, onToggle }: AuditEntryRowProps) {
  return (
    <OpeningRow
      newest={entry}
      clock={clock}
      sentence={<Sentence entry={entry} />}
      isOpen={isOpen}
      onToggle={onToggle}
      content={() => <AuditEntryDetails entry={entry} clock={clock} deleted={deleted} />}
    />
  );
}

interface AuditFoldRowProps {
  entries: AuditRow;
  clock: ViewersClock;
  isOpen: boolean;
  onToggle: () => void;
  /** The row of one of the changes. */
  children: (entry: AuditEntry) => ReactNode;
}

/** Several equal changes in a line; opens their rows. */
export function AuditFoldRow({ entries, clock, isOpen, onToggle, children }: AuditFoldRowProps) {
  const [newest] = entries;
  return (
    <OpeningRow
      newest={newest}
      oldest={entries.at(-1)}
      clock={clock}
      sentence={<FoldedSentence entries={entries} />}
      isOpen={isOpen}
      onToggle={onToggle}
      content={() => <ul className="border-t border-l-4 border-separator">{entries.map(children)}</ul>}
    />
  );
}

interface OpeningRowProps {
  newest: AuditEntry;
  /** The oldest of several changes. */
  oldest?: AuditEntry | undefined;
  clock: ViewersClock;
  sentence: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  /** Rendered while it is open. */
  content: () => ReactNode;
}

function OpeningRow({ newest, oldest, clock, sentence, isOpen, onToggle, content }: OpeningRowProps) {
  const contentId = useId();
  const time = { time: newest.occurredAt, since: oldest?.occurredAt, clock, write: clockTime };
  return (
    <li className="border-b border-separator last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={contentId}
        onClick={onToggle}
        className="grid min-h-11 w-full cursor-pointer grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5 text-left text-label hover:bg-surface-hover focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus md:grid-cols-[4.5rem_minmax(0,1fr)_minmax(0,18rem)_1rem]"
      >
        <LogTime {...time} className="max-md:hidden" />
        {sentence}
        <span className="flex min-w-0 items-center gap-x-2 max-md:order-3 max-md:col-start-1">
          <LogTime {...time} className="shrink-0 md:hidden" />
          <Author entry={newest} />
        </span>
        <ChevronRight
          aria-hidden
          className={`size-4 text-muted transition-transform duration-150 max-md:order-2 motion-reduce:transition-none ${isOpen ? 'rotate-90' : ''}`}
        />
      </button>
      <div id={contentId} hidden={!isOpen}>
        {isOpen && content()}
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

function FoldedSentence({ entries }: Pick<AuditFoldRowProps, 'entries'>) {
  const { lead, name, what, names, times } = foldSentence(entries);
  const whole = `${lead} ${name}`.trim() + what + (names && ` · ${names}`);
  return (
    <span className="flex min-w-0 items-center gap-x-2 max-md:order-1" title={whole}>
      <span className="flex min-w-0 whitespace-pre">
        <span className={`shrink-0 ${name ? '' : 'font-medium'}`}>{name ? `${lead} ` : lead}</span>
        <span className="min-w-0 truncate font-medium">{name}</span>
        <span className="max-w-3/5 shrink-0 overflow-hidden text-ellipsis text-muted">{names ? `${what} · ` : what}</span>
        <span className="min-w-0 truncate text-muted">{names}</span>
      </span>
      {times !== null && (
        <span className="shrink-0">
          <StatusBadge tone="neutral">{times} times</StatusBadge>
        </span>
      )}
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
