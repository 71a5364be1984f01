import { bareText } from '../html/html-outline';
import { plainTextPage } from '../html/html-view';
import { log } from '../log';
import type { MailMarkdown } from '../markdown/mail-markdown';
import { plainRendering } from '../markdown/plain-rendering';
import type { RenderedMarkdown } from '../markdown/rendered-markdown';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { QueueFull } from '../semaphore';
import { TaskEnded, type ThreadLimits, ThreadPool, type ThreadTask } from '../threads/thread-pool';
import type { MailPageTask } from './worker';

interface PoolLimits extends ThreadLimits {
  /** Timeouts in milliseconds: rendering a post, rendering a mail. */
  renderTime: number;
  mailTime: number;
}

const usualLimits: PoolLimits = {
  threads: 2,
  threadsPerOwner: 1,
  queued: 400,
  queuedPerOwner: 100,
  maxWait: 30_000,
  startTime: 30_000,
  renderTime: 5_000,
  mailTime: 20_000,
  idleTime: 60_000,
  memory: 256,
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
  /** Renders an email that is written in Markdown; see `renderMailMarkdown`. The text of one that exceeds the limits is its source. */
  mailMarkdown(markdown: string, options: TaskOptions): Promise<MailMarkdown>;
  /** Number of running and waiting tasks. */
  load(): { running: number; waiting: number };
  /** Ends all threads; running tasks return their fallback. */
  close(): Promise<void>;
}

const script = { built: 'render-worker.mjs', source: 'server/platform/rendering/worker.ts', task: 'markdown' };

/** Threads that render untrusted content. */
export function createRenderPool(changes: Partial<PoolLimits> = {}): RenderPool {
  const limits = { ...usualLimits, ...changes };
  const threads = new ThreadPool(script, limits);

  async function rendered<T>(task: ThreadTask, fallback: () => T): Promise<T> {
    try {
      return await threads.run<T>(task);
    } catch (error) {
      if (error instanceof QueueFull) throw error;
      // Logs only the kind: an error's message may contain the text.
      const reason = error instanceof TaskEnded ? error.reason : (error as Error).message;
      log().warn({ task: task.name, reason }, 'a text was not rendered');
      return fallback();
    }
  }

  const { renderTime, mailTime } = limits;
  return {
    load: () => threads.load(),
    markdown: (markdown, { owner, language = 'en' }) =>
      rendered({ name: 'markdown', content: { markdown, language }, owner, time: renderTime }, () => plainRendering(markdown)),
    mailPage: (content, { owner }) =>
      rendered<{ page: string; fallback?: true }>({ name: 'page', content, owner, time: mailTime }, () => ({
        page: plainTextPage(content.html),
        fallback: true,
      })),
    mailText: (html, { owner }) => rendered({ name: 'text', content: html, owner, time: mailTime }, () => bareText(html)),
    mailMarkdown: (markdown, { owner }) =>
      rendered<MailMarkdown>({ name: 'mailMarkdown', content: markdown, owner, time: renderTime }, () => ({
        ...{ html: null, text: markdown, pictures: [] },
      })),
    close: () => threads.close(),
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
