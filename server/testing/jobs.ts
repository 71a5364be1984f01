import { afterEach, beforeEach, vi } from 'vitest';
import { type JobHandler, type Lane, standingKey } from '@/server/platform/jobs/job';
import { startJobs, workerLimits } from '@/server/platform/jobs/worker';
import { queryAsOwner } from './database';

export interface StoredJob<Payload = object> {
  key: string;
  lane: Lane;
  destination: string | null;
  payload: Payload;
  dueAt: Date;
}

/** All jobs of a kind that wait or run, by their key. */
export function jobsOfKind<Payload = object>({ kind }: { kind: string }): Promise<StoredJob<Payload>[]> {
  return queryAsOwner('SELECT key, lane, destination, payload, due_at AS "dueAt" FROM jobs WHERE kind = $1 ORDER BY key', [kind]);
}

/** The job of a kind with this key, if there is one. */
export async function findJob<Payload = object>(of: { kind: string }, key: string): Promise<StoredJob<Payload> | undefined> {
  return (await jobsOfKind<Payload>(of)).find((job) => job.key === key);
}

/** What a job's handler is given, from one that does not stop. */
export const running = <Payload>(payload: Payload) => ({ payload, signal: new AbortController().signal });

/** In how many seconds a job is due. */
export async function secondsUntil(of: { kind: string }, key = standingKey): Promise<number> {
  return ((await findJob(of, key))?.dueAt.getTime() ?? Number.NaN) / 1000 - Date.now() / 1000;
}

/** A promise, and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/**
 * Gives each test of the calling file a table without jobs, and workers that end with it. Call it once, at the top of the file.
 * @returns starts a worker, as each process has one, and returns what stops it
 */
export function withJobs(): (...handlers: JobHandler[]) => Promise<() => Promise<void>> {
  const limits = { ...workerLimits };
  const stops: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    await queryAsOwner('DELETE FROM jobs');
    await queryAsOwner('DELETE FROM job_workers');
  });

  afterEach(async () => {
    vi.useRealTimers();
    for (const stop of stops.splice(0)) await stop();
    Object.assign(workerLimits, limits);
  });

  return async (...handlers) => {
    const stop = await startJobs(handlers);
    stops.push(stop);
    return stop;
  };
}
