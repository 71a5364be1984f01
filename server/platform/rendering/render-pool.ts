import { existsSync } from 'node:fs';
import path from 'node:path';
import { Piscina } from 'piscina';
import { env } from '../env';
import { log } from '../log';
import { wordsOf } from '../mail/html-outline';
import { wordsPage } from '../mail/html-view';
import { plainRendering } from '../markdown/plain-rendering';
import type { RenderedMarkdown } from '../markdown/rendered-markdown';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { Semaphore } from '../semaphore';
import type { MailPageTask } from './worker';

interface PoolLimits {
  threads: number;
  /** Tasks that may wait for a thread, in all and of one owner. */
  queued: number;
  queuedPerOwner: number;
  /** How long a task may wait, a thread may take to start, and a post and a mail may take to render; in milliseconds. */
  maxWait: number;
  startTime: number;
  renderTime: number;
  mailTime: number;
  /** How long a thread is kept without work, in milliseconds. */
  idleTime: number;
  /** A thread's heap, in MiB. */
  memory: number;
}

const usualLimits: PoolLimits = {
  threads: 2,
  queued: 400,
  queuedPerOwner: 100,
  maxWait: 30_000,
  startTime: 10_000,
  renderTime: 5_000,
  mailTime: 20_000,
  idleTime: 60_000,
  memory: 512,
};

interface TaskOptions {
  /** Whose it is. One task of an owner runs at a time, so that heavy ones do not hold up those of others. */
  owner: string;
}

export interface MarkdownOptions extends TaskOptions {
  /** What it is written in (BCP 47); English by default. */
  language?: string;
}

/** Each task throws QueueFull where it got no thread in time, which says nothing of its content. */
export interface RenderPool {
  /** Renders a post: see `renderMarkdown`. One that can't be rendered within the limits comes back as its source, with `fallback`. */
  markdown(markdown: string, options: MarkdownOptions): Promise<RenderedMarkdown>;
  /** The page of a mail: see `mailPage`. One that can't be rendered within the limits comes back as its words, with `fallback`. */
  mailPage(task: MailPageTask, options: TaskOptions): Promise<{ page: string; fallback?: true }>;
  /** The text of a mail's HTML: see `htmlToText`. */
  mailText(html: string, options: TaskOptions): Promise<string>;
  /** Tasks that run and that wait. */
  load(): { running: number; waiting: number };
  /** Ends all threads; what they were doing comes back as their fallback. */
  close(): Promise<void>;
}

/**
 * The file a thread runs, from the project's root: this module may itself be inside a bundle of Next.js, whose own address says
 * nothing. It gets none of the process' settings. From sources (development, tests, scripts) tsx compiles it, as it does the rest.
 */
function workerFile(): { filename: string; execArgv: string[]; env?: Record<string, string> } {
  const built = path.resolve('dist/render-worker.mjs');
  if (env().NODE_ENV === 'production' && existsSync(built)) return { filename: built, execArgv: [], env: {} };
  return { filename: path.resolve('server/platform/rendering/worker.ts'), execArgv: ['--import', 'tsx'] };
}

/**
 * Threads that render what others wrote, so that nothing hostile blocks the event loop. A task is given to piscina when a thread is free:
 * piscina counts the time limit from the moment it is given a task, and bounds its queue only for tasks without such a limit.
 */
export function createRenderPool(changes: Partial<PoolLimits> = {}): RenderPool {
  const limits = { ...usualLimits, ...changes };
  const { threads: permits, queued, queuedPerOwner, maxWait } = limits;
  const slots = new Semaphore({ permits, permitsPerOwner: 1, queued, queuedPerOwner, maxWait });
  const threads = new Piscina({
    ...workerFile(),
    // What a new thread looks up at its start.
    name: 'markdown',
    minThreads: 0,
    maxThreads: limits.threads,
    idleTimeout: limits.idleTime,
    resourceLimits: { maxOldGenerationSizeMb: limits.memory },
  });
  // A thread that dies without work, or can't even start, is reported here only.
  threads.on('error', (error: unknown) => log().error({ err: error }, 'a rendering thread failed'));

  /** Rendering is timed from when there is a thread for it. */
  async function runInTime<T>(name: string, task: unknown, time: number): Promise<T> {
    const controller = new AbortController();
    const limit = (milliseconds: number) => setTimeout(() => controller.abort(), milliseconds);
    const mustStart = threads.threads.length < slots.load().running;
    let timer = limit(mustStart ? limits.startTime : time);
    const threadStarted = () => {
      clearTimeout(timer);
      timer = limit(time);
    };
    if (mustStart) threads.once('workerCreate', threadStarted);
    try {
      return await threads.run(task, { name, signal: controller.signal });
    } finally {
      clearTimeout(timer);
      threads.off('workerCreate', threadStarted);
    }
  }

  async function rendered<T>(name: string, task: unknown, time: number, fallback: () => T): Promise<T> {
    try {
      return await runInTime<T>(name, task, time);
    } catch (error) {
      // Only its kind: the message of an error may hold a piece of the text.
      const { name: kind, code } = error as { name?: string; code?: string };
      log().warn(
        { task: name, reason: kind === 'AbortError' ? 'took too long' : (code ?? kind ?? 'unknown') },
        'a text was not rendered',
      );
      return fallback();
    }
  }

  const { renderTime, mailTime } = limits;
  return {
    load: () => slots.load(),
    markdown: (markdown, { owner, language = 'en' }) =>
      slots.run({ owner }, () => rendered('markdown', { markdown, language }, renderTime, () => plainRendering(markdown))),
    mailPage: (task, { owner }) =>
      slots.run({ owner }, () =>
        rendered<{ page: string; fallback?: true }>('page', task, mailTime, () => ({
          page: wordsPage(task.html),
          fallback: true,
        })),
      ),
    mailText: (html, { owner }) => slots.run({ owner }, () => rendered('text', html, mailTime, () => wordsOf(html))),
    async close() {
      slots.clear();
      await threads.destroy();
    },
  };
}

const poolName = 'render-pool';

/** The pool of this process. */
export function renderPool(): RenderPool {
  return oncePerProcess(poolName, () => createRenderPool());
}

/** Ends the pool's threads, at shutdown; a later task starts them again. */
export async function closeRenderPool(): Promise<void> {
  await takeFromProcess<RenderPool>(poolName)?.close();
}
