import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@/server/platform/errors';

/** The slowest sender that is waited for, averaged over `window` milliseconds. */
export interface Pace {
  bytesPerSecond: number;
  window: number;
}

/** A tenth of what the slowest telephone line had; who sends less holds memory and a place, and brings nothing. */
export const defaultPace: Pace = { bytesPerSecond: 1024, window: 10_000 };

/** Requests whose sender waits to be told (`Expect: 100-continue`) before it sends the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Has the sender told to go on once someone reads the body, and not before. */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response);
}

/** True where the sender has not been told to send the body. */
export function isUnasked(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** True where something follows the headers, however much. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The body of a request as it comes in. Left unfinished (a body too large), it does not take the connection along: the answer still has
 * to go out.
 */
export class IncomingBody {
  readonly #incoming: IncomingMessage;
  readonly #pace: Pace;

  constructor(incoming: IncomingMessage, pace: Pace) {
    this.#incoming = incoming;
    this.#pace = pace;
  }

  /** Fails with an AppError: request_timeout for a sender that is too slow, invalid_request for one that leaves. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    waiting.get(this.#incoming)?.writeContinue();
    waiting.delete(this.#incoming);
    return paced(this.#incoming, this.#pace);
  }
}

async function* paced(incoming: IncomingMessage, { bytesPerSecond, window }: Pace): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming.iterator({ destroyOnReturn: false });
  const minimum = (bytesPerSecond * window) / 1000;
  let received = 0;
  let isAwaited = false;
  let fail: (error: AppError) => void = () => undefined;
  const tooSlow = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  tooSlow.catch(() => undefined);
  const timer = setInterval(() => {
    // While we work on what has come, the sender is not the one who is slow.
    if (isAwaited && received < minimum) fail(slowSender(bytesPerSecond));
    received = 0;
  }, window);
  try {
    for (;;) {
      isAwaited = true;
      const { done, value } = await Promise.race([chunks.next(), tooSlow]);
      isAwaited = false;
      if (done) return;
      received += value.byteLength;
      yield value;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new AppError('invalid_request', 'The connection ended before the whole body had come.', { cause: error });
  } finally {
    clearInterval(timer);
    // Lets go of the stream, so that what is left of it can be read on; where a read is still open, no one reads on.
    if (!isAwaited) await chunks.return?.();
  }
}

function slowSender(bytesPerSecond: number): AppError {
  return new AppError('request_timeout', `The body came at less than ${bytesPerSecond} bytes a second. Send it again.`, {
    headers: { Connection: 'close' },
  });
}

/** Most bytes that are read of a body which no one wants, so that its sender gets to read why. */
const readOnBytes = 32 * 1024 * 1024;
/** Milliseconds for the same. */
const readOnTime = 30_000;

/** True where reading on could not get to the end of the body, or has no use. */
export function endsConnection(request: IncomingMessage): boolean {
  if (isUnasked(request)) return true;
  const length = request.headers['content-length'];
  return length === undefined || Number(length) > readOnBytes;
}

/**
 * Reads and drops what is left of a body. Browsers and most clients look at the answer only once they have sent all of theirs, and a
 * connection that is closed before takes the answer along.
 *
 * @returns false where the sender did not come to an end within 32 MiB and 30 seconds
 */
export function readOn(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    if (request.complete || request.destroyed) return resolve(request.complete);
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done);
      resolve(request.complete);
    };
    const count = (chunk: Uint8Array) => {
      bytes += chunk.byteLength;
      if (bytes > readOnBytes) done();
    };
    const timer = setTimeout(done, readOnTime);
    request.on('data', count).on('end', done).on('close', done);
    request.resume();
  });
}
