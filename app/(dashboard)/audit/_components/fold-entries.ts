import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { countLabel, resourceLabels } from './audit-labels';
import { needsColon, sentenceOf } from './audit-sentence';

/** So many equal changes in a row are shown as one. */
const foldedMinimum = 3;

/** How many names are given of those that a row stands for. */
const namedMaximum = 3;

/**
 * What has to be equal in changes that are shown as one: all that a row says but the record's name and the time. Sessions have their
 * browser for a name, so that sign-ins from another one stand apart.
 */
function foldKey(entry: AuditEntry): string {
  const { resource, action, author, agent } = entry;
  const { lead, name, what } = sentenceOf(entry);
  const who = [author.kind, author.id, author.name, author.key?.id, agent?.id];
  return JSON.stringify([resource, action, lead, what, resource === 'session' ? name : null, ...who]);
}

/** The changes of a row, newest first. */
export type AuditRow = readonly [AuditEntry, ...AuditEntry[]];

/**
 * The rows of a list of changes: equal ones that follow each other share a row if they are many, every other one has its own. The
 * order stays, and no change is left out.
 */
export function foldEntries(entries: readonly AuditEntry[]): AuditRow[] {
  const runs: [AuditEntry, ...AuditEntry[]][] = [];
  let lastKey: string | undefined;
  for (const entry of entries) {
    const key = foldKey(entry);
    if (key === lastKey) runs.at(-1)?.push(entry);
    else runs.push([entry]);
    lastKey = key;
  }
  return runs.flatMap((run) => (run.length < foldedMinimum ? run.map((entry): AuditRow => [entry]) : [run]));
}

/** Several equal changes in words: "**30 emails** sent · Invoice 7, Invoice 6…", or "Customer **Quark Labs**: notes changed", 3 times. */
export interface FoldSentence {
  lead: string;
  /** The name of the one record that all are about; '' if they are about several. */
  name: string;
  /** The change itself, with what separates it from the name or number. */
  what: string;
  /** Some names, newest first; '' if there is one record or none has a name. */
  names: string;
  /** How many changes there are; null if there is one of each record. */
  times: number | null;
}

/** The sentence of changes that `foldEntries` put in one row. */
export function foldSentence(entries: AuditRow): FoldSentence {
  const [newest] = entries;
  const { resource } = newest;
  const sentence = sentenceOf(newest);
  const what = needsColon(sentence) ? `: ${sentence.what}` : sentence.what && ` ${sentence.what}`;
  const records = new Set(
    entries.map(({ parentId, resourceId }) =>
      // Escalation steps are numbered within their agent.
      resource === 'escalation_route' ? `${parentId} ${resourceId}` : resourceId,
    ),
  ).size;
  if (records === 1 || resource === 'session') return { ...sentence, what, names: '', times: entries.length };
  const names = [...new Set(entries.map((entry) => sentenceOf(entry).name))];
  const given = names.filter((name) => name !== '' && name !== resourceLabels[resource].unnamed);
  return {
    lead: countLabel(resource, records),
    name: '',
    what,
    names: given.slice(0, namedMaximum).join(', ') + (given.length > namedMaximum ? '…' : ''),
    times: records === entries.length ? null : entries.length,
  };
}
