import { randomUUID } from 'node:crypto';
import { within } from '../db/connection';
import { listenTo } from '../db/listen';
import { log } from '../log';
import { logFailure } from '../outage-log';
import { noteDatabaseTime } from './clock';
import type { Every, JobHandler } from './job';
import { addWorker, beat, correctTimes, keepStanding, removeWorkers, type WorkerBeat } from './job-table';
import { LaneWorker } from './lane-worker';

/**
 * In milliseconds: between two beats of a worker, and how long running jobs may take when the server stops, until they are aborted and until
 * they are left to another server.
 */
export const workerLimits = { beat: 5_000, grace: 5_000, stop: 15_000 };

/** Beats that a worker has to stand still for to count as dead. */
const beatsUntilDead = 3;

/** Beats between two looks at the standing jobs. */
const beatsUntilStanding = 12;

/**
 * Finds workers that are dead, or cut off from the database. Only what was read counts, whatever a clock says: while the database is away,
 * no beat is read, so no worker is declared dead.
 */
export class DeadWorkers {
  #stillFor = new Map<string, { beat: string; times: number }>();

  /** @returns ids of those that are dead */
  find(others: readonly WorkerBeat[]): string[] {
    const before = this.#stillFor;
    const timesOf = ({ id, beat: now }: WorkerBeat) => {
      const last = before.get(id);
      return last?.beat === now ? last.times + 1 : 0;
    };
    this.#stillFor = new Map(others.map((other) => [other.id, { beat: other.beat, times: timesOf(other) }]));
    return [...this.#stillFor].filter(([, { times }]) => times >= beatsUntilDead).map(([id]) => id);
  }
}

type StandingHandler = JobHandler & { every: Every };

/** The worker of a process, as others see it: a row that its beats keep alive. */
class Presence {
  /** Changes when another worker has declared this one dead, because it was paused or cut off. */
  id = randomUUID();
  readonly #standing: readonly StandingHandler[];
  readonly #onLost: () => void;
  readonly #dead = new DeadWorkers();
  #beats = 0;
  /** Times have to be corrected, and it has not worked yet. */
  #isCorrecting = false;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | null = null;
  #maintaining: Promise<void> | null = null;

  constructor(standing: readonly StandingHandler[], onLost: () => void) {
    this.#standing = standing;
    this.#onLost = onLost;
  }

  async open(): Promise<void> {
    await addWorker(this.id);
    await this.#maintain(await this.#beat());
    this.#timer = setInterval(() => this.#beatAgain(), workerLimits.beat).unref();
  }

  /** Hands everything that is still held back. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#maintaining;
    // Otherwise another server finds it dead.
    await removeWorkers([this.id]).catch((error: unknown) => logFailure(error, {}, 'jobs could not be handed back'));
  }

  /** Beats don't wait for maintenance, which may have to wait for a connection. */
  #beatAgain(): void {
    this.#beating ??= this.#beat()
      .then((dead) => this.#maintainAgain(dead))
      .catch((error: unknown) => logFailure(error, {}, 'a worker could not show that it is alive'))
      .finally(() => {
        this.#beating = null;
      });
  }

  #maintainAgain(dead: readonly string[]): void {
    this.#maintaining ??= this.#maintain(dead)
      .catch((error: unknown) => logFailure(error, {}, 'the table of jobs could not be maintained'))
      .finally(() => {
        this.#maintaining = null;
      });
  }

  /** @returns other workers that are dead, again and again until they are removed */
  async #beat(): Promise<string[]> {
    const { isKnown, now, others } = await beat(this.id);
    if (!isKnown) await this.#return();
    if (noteDatabaseTime(now)) this.#isCorrecting = true;
    return this.#dead.find(others);
  }

  async #maintain(dead: readonly string[]): Promise<void> {
    if (this.#isCorrecting) await correctTimes();
    this.#isCorrecting = false;
    if (this.#beats++ % beatsUntilStanding === 0) await keepStanding(this.#standing);
    if (dead.length === 0) return;
    await removeWorkers(dead);
    log().info({ workers: dead.length }, 'jobs of a server that is gone were taken over');
  }

  async #return(): Promise<void> {
    log().warn('another server has removed this worker, which did not respond; its jobs are started again');
    this.#onLost();
    const id = randomUUID();
    await addWorker(id);
    this.id = id;
  }
}

/**
 * Starts running jobs, next to requests and on the same connections. Several servers on one database share the work.
 * @returns a function that stops it: running jobs are finished first
 * @throws if the database can't be used
 */
export async function startJobs(all: readonly JobHandler[]): Promise<() => Promise<void>> {
  const handlers = all.filter(({ isPossible }) => isPossible?.() ?? true);
  let workers: LaneWorker[] = [];
  const atWork = new Set<string>();
  const each = (act: (worker: LaneWorker) => void) => workers.forEach(act);
  const standing = handlers.filter((handler): handler is StandingHandler => handler.every !== undefined);
  const presence = new Presence(standing, () => each((worker) => worker.abort()));
  await presence.open();
  const used = [...new Set(handlers.flatMap((handler) => handler.lanes))];
  workers = used.map((lane) => {
    const own = handlers.filter((handler) => handler.lanes.includes(lane));
    return new LaneWorker(lane, own, () => presence.id, atWork);
  });
  const stopListening = listenTo('frontdesk_jobs', {
    received: (lane) => each((worker) => worker.lane === lane && worker.wake()),
    // Jobs announced while the connection was down.
    opened: () => each((worker) => worker.wake()),
  });
  return async () => {
    const { grace, stop } = workerLimits;
    each((worker) => worker.drain());
    await stopListening();
    const drained = Promise.all(workers.map((worker) => worker.drained));
    if (!(await within(grace, drained))) {
      each((worker) => worker.abort());
      if (!(await within(stop - grace, drained))) log().warn('jobs were still at work when the server stopped');
    }
    each((worker) => worker.end());
    await presence.close();
  };
}
