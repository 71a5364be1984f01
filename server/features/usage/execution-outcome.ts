import type { executionOutcomes, TrackInput } from './usage.schema';

export type ExecutionOutcome = (typeof executionOutcomes)[number];

const synonyms: Record<Exclude<ExecutionOutcome, 'active'>, readonly string[]> = {
  completed: ['completed', 'complete', 'success', 'successful', 'succeeded', 'done', 'finished', 'ok'],
  failed: ['failed', 'failure', 'error', 'errored', 'timeout', 'timed_out'],
  cancelled: ['cancelled', 'canceled', 'aborted', 'skipped'],
  escalated: ['escalated', 'waiting_human', 'needs_human', 'handed_over'],
};

const outcomes = new Map(
  Object.entries(synonyms).flatMap(([outcome, words]) => words.map((word) => [word, outcome as ExecutionOutcome] as const)),
);

/** What a reported status says about the work. Reporters have words of their own; one we do not know means: under way. */
export function outcomeOf(status: string): ExecutionOutcome {
  return (
    outcomes.get(
      status
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    ) ?? 'active'
  );
}

/** Minutes of work a completed task spares its people where nobody says otherwise (contract section 5). */
const minutesPerTask = 15;

/** A year: beyond it a report is a mistake, and the sum would stop meaning anything. */
const minutesMaximum = 525_600;

/** Minutes an execution has saved: what its result or metadata says, else 15 if it is completed. */
export function minutesSavedBy(record: Pick<TrackInput, 'status' | 'result' | 'metadata'>): number {
  if (outcomeOf(record.status ?? '') !== 'completed') return 0;
  for (const said of [record.result?.minutesSaved, record.metadata?.minutesSaved]) {
    if (typeof said === 'number' && said >= 0 && said <= minutesMaximum) return said;
  }
  return minutesPerTask;
}
