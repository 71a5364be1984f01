import { existsSync } from 'node:fs';
import path from 'node:path';
import { Piscina } from 'piscina';
import { env } from '../env';
import { log } from '../log';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { Semaphore } from '../semaphore';
import { plainRendering } from './plain-rendering';
import type { RenderedMarkdown } from './rendered-markdown';

interface PoolLimits {
  threads: number;
  /** Posts that may wait for a thread, in all and of one owner. */
  queued: number;
  queuedPerOwner: number;
  /** How long one may wait, how long a thread may take to start and how long to render a post; in milliseconds. */
  maxWait: number;
  startTime: number;
  renderTime: number;
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
  idleTime: 60_000,
  memory: 512,
};

export interface RenderOptions {
  /** Whose post it is: of one owner's, one is rendered at a time, so that nobody's heavy posts hold up another's. */
  owner: string;
  /** What it is written in (BCP 47); English unless said otherwise. */
  language?: string;
}

export interface MarkdownPool {
  /**
   * A post that can't be rendered within the limits comes back as its source, with `fallback`.
   *
   * @throws QueueFull where there was no turn for it in time, which says nothing of the post
   */
  render(markdown: string, options: RenderOptions): Promise<RenderedMarkdown>;
  /** Posts being rendered and waiting. */
  load(): { running: number; waiting: number };
  /** Ends all threads at once; what they were doing comes back with `fallback`. */
  close(): Promise<void>;
}

/**
 * The file a thread runs, from the project's root: this module may itself be inside a bundle of Next.js, whose own address says
 * nothing. It gets none of the process' settings. From sources (development, tests, scripts) tsx compiles it, as it does the rest.
 */
function workerFile(): { filename: string; execArgv: string[]; env?: Record<string, string> } {
  const built = path.resolve('dist/markdown-worker.mjs');
  if (env().NODE_ENV === 'production' && existsSync(built)) return { filename: built, execArgv: [], env: {} };
  return { filename: path.resolve('server/platform/markdown/worker.ts'), execArgv: ['--import', 'tsx'] };
}

/**
 * Threads that render posts. A post in line is not given to piscina before a thread is free: piscina counts the time limit from the
 * moment it is given a task, and bounds its queue only for tasks without such a limit.
 */
export function createMarkdownPool(changes: Partial<PoolLimits> = {}): MarkdownPool {
  const limits = { ...usualLimits, ...changes };
  const { threads: permits, queued, queuedPerOwner, maxWait } = limits;
  const turns = new Semaphore({ permits, permitsPerOwner: 1, queued, queuedPerOwner, maxWait });
  const threads = new Piscina({
    ...workerFile(),
    minThreads: 0,
    maxThreads: limits.threads,
    idleTimeout: limits.idleTime,
    resourceLimits: { maxOldGenerationSizeMb: limits.memory },
  });
  // A thread that dies without work, or can't even start, is reported here only.
  threads.on('error', (error: unknown) => log().error({ err: error }, 'a Markdown thread failed'));

  /** Rendering is timed from when there is a thread for it. */
  async function runInTime(markdown: string, language: string): Promise<RenderedMarkdown> {
    const controller = new AbortController();
    const limit = (time: number) => setTimeout(() => controller.abort(), time);
    const mustStart = threads.threads.length < turns.load().running;
    let timer = limit(mustStart ? limits.startTime : limits.renderTime);
    const threadStarted = () => {
      clearTimeout(timer);
      timer = limit(limits.renderTime);
    };
    if (mustStart) threads.once('workerCreate', threadStarted);
    try {
      return await threads.run({ markdown, language }, { signal: controller.signal });
    } finally {
      clearTimeout(timer);
      threads.off('workerCreate', threadStarted);
    }
  }

  function fallback(markdown: string, reason: string): RenderedMarkdown {
    log().warn({ reason, length: markdown.length }, 'a post is shown as its source');
    return plainRendering(markdown);
  }

  async function rendered(markdown: string, language: string): Promise<RenderedMarkdown> {
    try {
      return await runInTime(markdown, language);
    } catch (error) {
      // Only its kind: the message of an error may hold a piece of the post.
      const { name, code } = error as { name?: string; code?: string };
      return fallback(markdown, name === 'AbortError' ? 'took too long' : (code ?? name ?? 'unknown'));
    }
  }

  return {
    load: () => turns.load(),
    render: (markdown, { owner, language = 'en' }) => turns.run({ owner }, () => rendered(markdown, language)),
    async close() {
      turns.clear();
      await threads.destroy();
    },
  };
}

const poolName = 'markdown-pool';

/** Renders a post's Markdown in a thread of this process' pool: see `MarkdownPool.render`, and `renderMarkdown` for what comes out. */
export function renderInWorker(markdown: string, options: RenderOptions): Promise<RenderedMarkdown> {
  return oncePerProcess(poolName, () => createMarkdownPool()).render(markdown, options);
}

/** Ends the pool's threads, at shutdown; a later rendering starts them again. */
export async function closeMarkdownPool(): Promise<void> {
  await takeFromProcess<MarkdownPool>(poolName)?.close();
}
