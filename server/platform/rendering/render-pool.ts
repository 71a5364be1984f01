import { existsSync } from 'node:fs';
import path from 'node:path';
import { Piscina } from 'piscina';
import { env } from '../env';
import { log } from '../log';
import { bareText } from '../mail/html-outline';
import { plainTextPage } from '../mail/html-view';
import { plainRendering } from '../markdown/plain-rendering';
import type { RenderedMarkdown } from '../markdown/rendered-markdown';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { Semaphore } from '../semaphore';
import type { MailPageTask } from './worker';

interface PoolLimits {
  threads: number;
  /** Maximum waiting tasks, in all and per owner. */
  queued: number;
  queuedPerOwner: number;
  /** Timeouts in milliseconds: waiting for a thread, starting a thread, rendering a post, rendering a mail. */
  maxWait: number;
  startTime: number;
  renderTime: number;
  mailTime: number;
  /** How long an idle thread is kept, in milliseconds. */
  idleTime: number;
  /** Maximum heap of a thread, in MiB. */
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
  /** The owner. One task per owner runs at a time, so that heavy ones do not hold up those of others. */
  owner: string;
}

export interface MarkdownOptions extends TaskOptions {
  /** The post's language (BCP 47); English by default. */
  language?: string;
}

/** Each task throws QueueFull if no thread was free in time; this says nothing about its content. */
export interface RenderPool {
  /** Renders a post; see `renderMarkdown`. One that exceeds the limits is returned as its source, with `fallback`. */
  markdown(markdown: string, options: MarkdownOptions): Promise<RenderedMarkdown>;
  /** Renders a mail's page; see `mailPage`. One that exceeds the limits is returned as plain text, with `fallback`. */
  mailPage(task: MailPageTask, options: TaskOptions): Promise<{ page: string; fallback?: true }>;
  /** Converts a mail's HTML to text; see `htmlToText`. */
  mailText(html: string, options: TaskOptions): Promise<string>;
  /** Number of running and waiting tasks. */
  load(): { running: number; waiting: number };
  /** Ends all threads; running tasks return their fallback. */
  close(): Promise<void>;
}

/**
 * The thread's script, from the project's root: this module may itself be inside a bundle of Next.js, whose path says nothing.
 * It gets none of the process' settings. From sources (development, tests, scripts) it is compiled by tsx.
 */
function workerFile(): { filename: string; execArgv: string[]; env?: Record<string, string> } {
  const built = path.resolve('dist/render-worker.mjs');
  if (env().NODE_ENV === 'production' && existsSync(built)) return { filename: built, execArgv: [], env: {} };
  return { filename: path.resolve('server/platform/rendering/worker.ts'), execArgv: ['--import', 'tsx'] };
}

/**
 * Threads that render untrusted content, so that it can't block the event loop. A task is passed to piscina only when a thread
 * is free: piscina starts the timeout when it gets a task, and bounds its queue only for tasks without a timeout.
 */
export function createRenderPool(changes: Partial<PoolLimits> = {}): RenderPool {
  const limits = { ...usualLimits, ...changes };
  const { threads: permits, queued, queuedPerOwner, maxWait } = limits;
  const slots = new Semaphore({ permits, permitsPerOwner: 1, queued, queuedPerOwner, maxWait });
  const threads = new Piscina({
    ...workerFile(),
    // A new thread resolves this export at its start.
    name: 'markdown',
    minThreads: 0,
    maxThreads: limits.threads,
    idleTimeout: limits.idleTime,
    resourceLimits: { maxOldGenerationSizeMb: limits.memory },
  });
  // A thread that dies while idle, or fails to start, is reported only here.
  threads.on('error', (error: unknown) => log().error({ err: error }, 'a rendering thread failed'));

  /** The rendering timeout starts when a thread is free. */
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
      // Logs only the kind: an error's message may contain the text.
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
          page: plainTextPage(task.html),
          fallback: true,
        })),
      ),
    mailText: (html, { owner }) => slots.run({ owner }, () => rendered('text', html, mailTime, () => bareText(html))),
    async close() {
      slots.clear();
      await threads.destroy();
    },
  };
}

const poolName = 'render-pool';

/** The process-wide pool. */
export function renderPool(): RenderPool {
  return oncePerProcess(poolName, () => createRenderPool());
}

/** Ends the pool's threads, at shutdown; a later task starts them again. */
export async function closeRenderPool(): Promise<void> {
  await takeFromProcess<RenderPool>(poolName)?.close();
}
