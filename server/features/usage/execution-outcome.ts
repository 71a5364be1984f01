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

/** The outcome of a reported status. Reporters use various terms; an unknown one means in progress. */
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

/** Minutes of work saved by a completed task, unless reported otherwise (contract section 5). */
const minutesPerTask = 15;

/** A year: a larger value is a mistake, and would make the sum meaningless. */
const minutesMaximum = 525_600;

/** Minutes an execution has saved: from its result or metadata, else 15 if it is completed. */
export function minutesSavedBy(record: Pick<TrackInput, 'status' | 'result' | 'metadata'>): number {
  if (outcomeOf(record.status ?? '') !== 'completed') return 0;
  for (const said of [record.result?.minutesSaved, record.metadata?.minutesSaved]) {
    if (typeof said === 'number' && said >= 0 && said <= minutesMaximum) return said;
  }
  return minutesPerTask;
}
