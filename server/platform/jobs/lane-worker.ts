import { setTimeout } from 'node:timers/promises';
import { log } from '../log';
import { logFailure } from '../outage-log';
import { cutText } from '../text';
import { type JobHandler, type Lane, lanes } from './job';
import { type ClaimedJob, claimJobs, type EndedJob, recordEnds } from './job-table';

/** Milliseconds after which a lane looks for jobs by itself; new ones are announced. */
const longestPause = 5_000;
/** Milliseconds until the next try after the database failed. */
const pauseAfterFailure = 1_000;

/** Seconds until a job that has failed so many times is tried again: up to six hours. */
const retryDelay = (attempts: number) => Math.exp(Math.min(10, attempts));

/** Runs the jobs of one lane in this process. */
export class LaneWorker {
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  /** Runs at work. */
  readonly #running = new Map<Promise<void>, { kind: string; controller: AbortController }>();
  /** The last claim may have been carried out without an answer. */
  #isUnsure = false;
  /** Ends that are not recorded yet. */
  #ended: EndedJob[] = [];
  /** No more jobs are claimed. */
  #isStopping = false;
  /** Nothing is done any more. */
  #isOver = false;
  #isWoken = false;
  #resume: () => void = () => undefined;
  /** Resolves once it is stopping, no job runs, and all ends are recorded. */
  readonly drained: Promise<void>;

  readonly #holderId: () => string;
  readonly #atWork: Set<string>;

  /**
   * @param holderId the worker's id, which changes when another process has declared it dead
   * @param atWork ids of the jobs of all lanes that run, or whose end is not recorded yet
   */
  constructor(
    readonly lane: Lane,
    handlers: readonly JobHandler[],
    holderId: () => string,
    atWork: Set<string>,
  ) {
    this.#holderId = holderId;
    this.#atWork = atWork;
    this.#handlers = new Map(handlers.map((handler) => [handler.kind, handler]));
    this.drained = this.#work();
  }

  /** Looks for jobs now. */
  wake(): void {
    this.#isWoken = true;
    this.#resume();
  }

  /** Aborts all runs. */
  abort(): void {
    for (const { controller } of this.#running.values()) controller.abort();
  }

  /** Claims no more jobs; see `drained`. Those that only wait end at once. */
  drain(): void {
    this.#isStopping = true;
    for (const { kind, controller } of this.#running.values()) {
      if (this.#handlers.get(kind)?.isWaiting) controller.abort();
    }
    this.wake();
  }

  /** Leaves to another server what is still at work. */
  end(): void {
    this.#isOver = true;
    this.drain();
  }

  get #isAtWork(): boolean {
    return !this.#isOver && (!this.#isStopping || this.#running.size > 0 || this.#ended.length > 0);
  }

  async #work(): Promise<void> {
    while (this.#isAtWork) {
      this.#isWoken = false;
      let pause: number;
      try {
        pause = await this.#turn();
      } catch (error) {
        logFailure(error, { lane: this.lane }, 'jobs could not be looked for');
        await setTimeout(pauseAfterFailure);
        continue;
      }
      await this.#wait(pause);
    }
  }

  /** @returns milliseconds until the next turn, unless something happens before */
  async #turn(): Promise<number> {
    await this.#recordEnds();
    const limit = lanes[this.lane].slots - this.#running.size;
    if (limit === 0 || this.#isStopping) return longestPause;
    const atWork = this.#isUnsure ? [...this.#atWork] : null;
    this.#isUnsure = true;
    const kinds = [...this.#handlers.keys()];
    const { jobs, nextIn } = await claimJobs({ lane: this.lane, holderId: this.#holderId(), limit, kinds, atWork });
    this.#isUnsure = false;
    for (const job of jobs) this.#begin(job);
    if (jobs.length > 0) return 0;
    return Math.min(nextIn === null ? longestPause : Math.ceil(nextIn * 1000), longestPause);
  }

  async #wait(milliseconds: number): Promise<void> {
    if (this.#isWoken || !this.#isAtWork) return;
    await new Promise<void>((resolve) => {
      const timer = globalThis.setTimeout(resolve, milliseconds);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #begin(job: ClaimedJob): void {
    const controller = new AbortController();
    this.#atWork.add(job.id);
    const run = this.#run(job, controller.signal).then(() => {
      this.#running.delete(run);
      this.wake();
    });
    this.#running.set(run, { kind: job.kind, controller });
  }

  async #run({ id, kind, payload, attempts, fence }: ClaimedJob, signal: AbortSignal): Promise<void> {
    const handler = this.#handlers.get(kind);
    const end = { id, fence, every: handler?.every };
    try {
      await handler?.run({ payload, signal });
      this.#ended.push({ ...end, failure: null });
    } catch (error) {
      if (signal.aborted) {
        this.#atWork.delete(id);
        return log().info({ jobId: id, kind }, 'a job was aborted and is left to another server');
      }
      logFailure(error, { jobId: id, kind, attempts }, 'a job failed');
      this.#ended.push({
        ...end,
        failure: { error: cutText(error instanceof Error ? error.message : String(error), 1_000), retryIn: retryDelay(attempts) },
      });
    }
  }

  async #recordEnds(): Promise<void> {
    const ended = this.#ended;
    if (ended.length === 0) return;
    this.#ended = [];
    try {
      await recordEnds(ended);
      for (const { id } of ended) this.#atWork.delete(id);
    } catch (error) {
      this.#ended.unshift(...ended);
      throw error;
    }
  }
}
