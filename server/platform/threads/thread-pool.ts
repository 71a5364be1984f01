import { existsSync } from 'node:fs';
import path from 'node:path';
import { Piscina } from 'piscina';
import { env } from '../env';
import { log } from '../log';
import { Semaphore } from '../semaphore';

/** What a thread runs. Threads get none of the process' settings, since they work on content of strangers. */
interface Script {
  /** The name of its bundle in `dist`. */
  built: string;
  /** Its source, from the project's root: this module may itself be inside a bundle of Next.js, whose path says nothing. */
  source: string;
  /** One of its tasks; a new thread resolves it at its start. */
  task: string;
}

export interface ThreadLimits {
  threads: number;
  /** Maximum tasks of one owner at a time. */
  threadsPerOwner: number;
  /** Maximum waiting tasks, in all and per owner. */
  queued: number;
  queuedPerOwner: number;
  /** Timeouts in milliseconds: waiting for a thread, and starting one. */
  maxWait: number;
  startTime: number;
  /** How long an idle thread is kept, in milliseconds. */
  idleTime: number;
  /** Maximum heap of a thread, in MiB. */
  memory: number;
}

export interface ThreadTask {
  name: string;
  /** What the task works on; it is cloned. */
  content: unknown;
  /** The owner, for fairness. */
  owner: string;
  /** Timeout in milliseconds, from when a thread is free. */
  time: number;
}

/** A task was ended because of its content: it took too long or too much memory, or its thread died of it. */
export class TaskEnded extends Error {
  override name = 'TaskEnded';

  constructor(
    readonly reason: 'time' | 'memory' | 'error',
    cause: unknown,
  ) {
    super(`a task was ended: ${reason}`, { cause });
  }
}

/** The pool was closed, or could not start a thread; says nothing about the task. */
export class NoThread extends Error {
  override name = 'NoThread';
}

/** From sources (development, tests, scripts) a thread's script is compiled by tsx. */
function workerFile({ built, source }: Script): { filename: string; execArgv: string[]; env?: Record<string, string> } {
  const bundle = path.resolve('dist', built);
  if (env().NODE_ENV === 'production' && existsSync(bundle)) return { filename: bundle, execArgv: [], env: {} };
  return { filename: path.resolve(source), execArgv: ['--import', 'tsx'] };
}

/**
 * Threads for work on untrusted content, so that it can't block the event loop. A task is passed to piscina only when a thread
 * is free: piscina starts the timeout when it gets a task, and bounds its queue only for tasks without a timeout.
 */
export class ThreadPool {
  readonly #slots: Semaphore;
  readonly #threads: Piscina;
  readonly #limits: ThreadLimits;
  #isClosed = false;

  constructor(script: Script, limits: ThreadLimits) {
    const { threads: permits, threadsPerOwner: permitsPerOwner, queued, queuedPerOwner, maxWait } = limits;
    this.#limits = limits;
    this.#slots = new Semaphore({ permits, permitsPerOwner, queued, queuedPerOwner, maxWait });
    this.#threads = new Piscina({
      ...workerFile(script),
      name: script.task,
      minThreads: 0,
      maxThreads: limits.threads,
      idleTimeout: limits.idleTime,
      resourceLimits: { maxOldGenerationSizeMb: limits.memory },
    });
    // A thread that dies while idle, or fails to start, is reported only here.
    this.#threads.on('error', (error: unknown) => log().error({ err: error, pool: script.built }, 'a thread failed'));
  }

  /** Permits in use, and number of waiting tasks. */
  load(): { running: number; waiting: number } {
    return this.#slots.load();
  }

  /**
   * Runs a task of the script.
   * @throws TaskEnded because of the task itself; NoThread, or QueueFull if no thread was free in time
   */
  run<T>(task: ThreadTask): Promise<T> {
    return this.#slots.run({ owner: task.owner }, () => this.#runInTime<T>(task));
  }

  /** Ends all threads; running tasks throw NoThread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#slots.clear();
    await this.#threads.destroy();
  }

  /** The task's timeout starts when a thread is there. */
  async #runInTime<T>({ name, content, time }: ThreadTask): Promise<T> {
    const controller = new AbortController();
    let hasStarted = this.#threads.threads.length >= this.#slots.load().running;
    const limit = (milliseconds: number) => setTimeout(() => controller.abort(), milliseconds);
    let timer = limit(hasStarted ? time : this.#limits.startTime);
    const threadStarted = () => {
      hasStarted = true;
      clearTimeout(timer);
      timer = limit(time);
    };
    if (!hasStarted) this.#threads.once('workerCreate', threadStarted);
    try {
      return await this.#threads.run(content, { name, signal: controller.signal });
    } catch (error) {
      if (this.#isClosed) throw new NoThread('the pool was closed', { cause: error });
      if (!hasStarted) throw new NoThread('no thread could be started', { cause: error });
      const { code } = error as { code?: string };
      const reason = controller.signal.aborted ? 'time' : code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'error';
      throw new TaskEnded(reason, error);
    } finally {
      clearTimeout(timer);
      this.#threads.off('workerCreate', threadStarted);
    }
  }
}
