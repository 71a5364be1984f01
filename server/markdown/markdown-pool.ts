import { existsSync } from 'node:fs';
import path from 'node:path';
import { Piscina } from 'piscina';
import { env } from '../env';
import { log } from '../log';
import { oncePerProcess, takeFromProcess } from '../process-registry';
import { plainRendering } from './plain-rendering';
import type { RenderedMarkdown } from './rendered-markdown';

interface PoolLimits {
  threads: number;
  /** Posts that may wait for a thread. */
  waiting: number;
  /** How long one may wait, how long a thread may take to start and how long to render a post; in milliseconds. */
  waitTime: number;
  startTime: number;
  renderTime: number;
  /** How long a thread is kept without work, in milliseconds. */
  idleTime: number;
  /** A thread's heap, in MiB. */
  memory: number;
}

const usualLimits: PoolLimits = {
  threads: 2,
  waiting: 32,
  waitTime: 10_000,
  startTime: 10_000,
  renderTime: 5_000,
  idleTime: 60_000,
  memory: 512,
};

export interface MarkdownPool {
  /** Never fails: a post that can't be rendered within the limits comes back as its source, with `fallback`. */
  render(markdown: string): Promise<RenderedMarkdown>;
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
  return { filename: path.resolve('server/markdown/worker.ts'), execArgv: ['--import', 'tsx'] };
}

/** Hands out `count` turns; those who come later wait in line, so many and so long, or get none. */
function turnstile(count: number, maximumWaiting: number, maximumWait: number) {
  const line: ((granted: boolean) => void)[] = [];
  let taken = 0;
  return {
    load: () => ({ running: taken, waiting: line.length }),
    take(): Promise<boolean> | boolean {
      if (taken < count) {
        taken += 1;
        return true;
      }
      if (line.length >= maximumWaiting) return false;
      return new Promise((resolve) => {
        const answer = (granted: boolean) => {
          clearTimeout(timer);
          resolve(granted);
        };
        const timer = setTimeout(() => {
          line.splice(line.indexOf(answer), 1);
          resolve(false);
        }, maximumWait);
        line.push(answer);
      });
    },
    give(): void {
      const next = line.shift();
      if (next) next(true);
      else taken -= 1;
    },
    clear(): void {
      for (const answer of line.splice(0)) answer(false);
    },
  };
}

/**
 * Threads that render posts. A post in line is not given to piscina before a thread is free: piscina counts the time limit from the
 * moment it is given a task, and bounds its queue only for tasks without such a limit.
 */
export function createMarkdownPool(changes: Partial<PoolLimits> = {}): MarkdownPool {
  const limits = { ...usualLimits, ...changes };
  const turns = turnstile(limits.threads, limits.waiting, limits.waitTime);
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
  async function runInTime(markdown: string): Promise<RenderedMarkdown> {
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
      return await threads.run(markdown, { signal: controller.signal });
    } finally {
      clearTimeout(timer);
      threads.off('workerCreate', threadStarted);
    }
  }

  function fallback(markdown: string, reason: string): RenderedMarkdown {
    log().warn({ reason, length: markdown.length }, 'a post is shown as its source');
    return plainRendering(markdown);
  }

  return {
    load: turns.load,
    async render(markdown) {
      if (!(await turns.take())) return fallback(markdown, 'too many wait');
      try {
        return await runInTime(markdown);
      } catch (error) {
        // Only its kind: the message of an error may hold a piece of the post.
        const { name, code } = error as { name?: string; code?: string };
        return fallback(markdown, name === 'AbortError' ? 'took too long' : (code ?? name ?? 'unknown'));
      } finally {
        turns.give();
      }
    },
    async close() {
      turns.clear();
      await threads.destroy();
    },
  };
}

const poolName = 'markdown-pool';

/** Renders a post's Markdown in a thread of this process' pool; see `renderMarkdown` for what comes out. Never fails. */
export function renderInWorker(markdown: string): Promise<RenderedMarkdown> {
  return oncePerProcess(poolName, () => createMarkdownPool()).render(markdown);
}

/** Ends the pool's threads, at shutdown; a later rendering starts them again. */
export async function closeMarkdownPool(): Promise<void> {
  await takeFromProcess<MarkdownPool>(poolName)?.close();
}
