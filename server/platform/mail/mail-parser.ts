import { mkdir, rm } from 'node:fs/promises';
import { storeComplete, storeStream } from '../files/content-store';
import { temporaryPath } from '../files/spool';
import { htmlToText } from '../html/html-text';
import { isHeavyHtml } from '../html/html-view';
import { log } from '../log';
import { oncePerProcess, takeFromProcess } from '../process-globals';
import { renderPool } from '../rendering/render-pool';
import { QueueFull, Semaphore } from '../semaphore';
import { NoThread, TaskEnded, ThreadPool } from '../threads/thread-pool';
import { parseMessage } from './parse-mail';
import { type ParsedMail, UnparsableMail } from './parsed-mail';
import type { RawMail } from './raw-mail';
import type { ParseResult, ParseTask } from './worker';

export interface ParserLimits {
  /** Timeout for one message in a thread, in milliseconds. */
  parseTime: number;
  /** Maximum heap of a thread, in MiB. */
  memory: number;
}

const usualLimits: ParserLimits = { parseTime: 60_000, memory: 128 };

/** Messages parsed at the same time: small ones on the event loop, where HTML may wait for a rendering thread, large ones in a thread each. */
const smallAtOnce = 4;
const smallOfOneSender = 2;
const largeAtOnce = 2;
/** A message waits for its turn as long as its server waits for an answer to it (RFC 5321, 4.5.3.2.6: ten minutes). */
const maxWait = 5 * 60_000;
const maxWaiting = 1_000;

export interface MailParser {
  parse(raw: RawMail, sender: string): Promise<ParsedMail>;
  close(): Promise<void>;
}

/** HTML as text; slow conversions run in a thread. */
async function toText(html: string): Promise<string> {
  return isHeavyHtml(html) ? renderPool().mailText(html, { owner: 'mail' }) : htmlToText(html);
}

const script = { built: 'mail-worker.mjs', source: 'server/platform/mail/worker.ts', task: 'parse' };

/** Why a message that ended its thread could not be read, for the quarantine. */
const endedBecause: Record<TaskEnded['reason'], string> = {
  time: 'Reading the message took too long.',
  memory: 'Reading the message took too much memory.',
  error: 'The message could not be read.',
};

export function createMailParser(changes: Partial<ParserLimits> = {}): MailParser {
  const { parseTime: time, memory } = { ...usualLimits, ...changes };
  const small = new Semaphore({ permits: smallAtOnce, permitsPerOwner: smallOfOneSender, queued: maxWaiting, maxWait });
  const threads = new ThreadPool(script, {
    threads: largeAtOnce,
    threadsPerOwner: 1,
    queued: maxWaiting,
    queuedPerOwner: maxWaiting,
    maxWait,
    startTime: 30_000,
    idleTime: 30_000,
    memory,
  });

  async function parseInThread({ sha256 }: RawMail, file: string, owner: string): Promise<ParsedMail> {
    const folder = await temporaryPath();
    await mkdir(folder, { mode: 0o700 });
    try {
      const content: ParseTask = { file, sha256, folder };
      const result = await threads.run<ParseResult>({ name: 'parse', content, owner, time });
      if (result.kind === 'unparsable') throw new UnparsableMail(result.reason);
      if (result.kind === 'failed') throw Object.assign(new Error(result.message), { code: result.code });
      for (const { file: temporary, ...stored } of result.files) await storeComplete(temporary, stored);
      return result.mail;
    } catch (error) {
      if (error instanceof NoThread) throw new QueueFull(error.message);
      if (!(error instanceof TaskEnded)) throw error;
      log().warn({ sha256, reason: error.reason, err: error.cause }, 'a message ended the thread that parsed it');
      throw new UnparsableMail(endedBecause[error.reason]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    parse: (raw, sender) =>
      raw.file === null
        ? small.run({ owner: sender }, () => parseMessage(raw, { keep: storeStream, toText }))
        : parseInThread(raw, raw.file, sender),
    async close() {
      small.clear();
      await threads.close();
    },
  };
}

const parserName = 'mail-parser';

/**
 * Parses a message and stores its attachments. A large one is parsed in a thread, so that it can't block the event loop, and
 * few at the same time, which bounds memory.
 * @param sender the network it comes from, '' if unknown; mail of one waits at most for one message of another
 * @throws UnparsableMail for an unreadable message; QueueFull if too many wait; disk errors unchanged. Files stored until then
 * may remain: nothing names them, so they are swept.
 */
export function parseMail(raw: RawMail, sender = ''): Promise<ParsedMail> {
  return oncePerProcess<MailParser>(parserName, () => createMailParser()).parse(raw, sender);
}

/** Ends the threads, at shutdown; a later message starts them again. */
export async function closeMailParser(): Promise<void> {
  await takeFromProcess<MailParser>(parserName)?.close();
}
