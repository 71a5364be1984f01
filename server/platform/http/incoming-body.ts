import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@/server/platform/errors';
import type { MeasuredBody } from './large-bodies';

/** The minimum pace of a sender, averaged over `window` milliseconds. */
export interface Pace {
  bytesPerSecond: number;
  window: number;
}

/** A tenth of a dial-up modem's speed; a slower sender holds memory and a slot for too long. */
export const defaultPace: Pace = { bytesPerSecond: 1024, window: 10_000 };

/** Requests whose sender waits for `100 Continue` before it sends the body. */
const awaitingContinue = new WeakMap<IncomingMessage, ServerResponse>();

/** Sends `100 Continue` only when the body is read. */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  awaitingContinue.set(request, response);
}

/** True if the sender still waits for `100 Continue`. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return awaitingContinue.has(request);
}

/** True if the headers announce a body, of any length. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The body of a request as a stream. Stopping early (body too large) keeps the connection open, so that the response can still
 * be sent.
 */
export class IncomingBody implements MeasuredBody {
  readonly #incoming: IncomingMessage;
  readonly #pace: Pace;
  #received = 0;
  #isUnwanted = false;
  #fail: (error: AppError) => void = () => undefined;

  constructor(incoming: IncomingMessage, pace: Pace) {
    this.#incoming = incoming;
    this.#pace = pace;
  }

  /** Bytes that have come and were read. */
  get received(): number {
    return this.#received;
  }

  get isComplete(): boolean {
    return this.#incoming.complete;
  }

  end(): void {
    if (this.#isUnwanted) this.#fail(unwanted({ Connection: 'close' }));
    this.#isUnwanted = true;
  }

  /** Throws an AppError: request_timeout for a slow sender, invalid_request if it disconnects. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    awaitingContinue.get(this.#incoming)?.writeContinue();
    awaitingContinue.delete(this.#incoming);
    return this.#chunks();
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    const { bytesPerSecond, window } = this.#pace;
    const chunks: AsyncIterator<Uint8Array> = this.#incoming.iterator({ destroyOnReturn: false });
    const minimum = (bytesPerSecond * window) / 1000;
    let before = 0;
    let isAwaited = false;
    const ended = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    ended.catch(() => undefined);
    const timer = setInterval(() => {
      // Time spent processing a chunk does not count against the sender.
      if (isAwaited && this.#received - before < minimum) this.#fail(slowSender(bytesPerSecond));
      before = this.#received;
    }, window);
    try {
      for (;;) {
        isAwaited = true;
        const { done, value } = await Promise.race([chunks.next(), ended]);
        isAwaited = false;
        if (done) return;
        // With no read pending, the rest can be drained, so that its sender gets the answer.
        if (this.#isUnwanted) throw unwanted({});
        this.#received += value.byteLength;
        yield value;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      throw new AppError('invalid_request', 'The connection ended before the whole body had come.', { cause: error });
    } finally {
      clearInterval(timer);
      // Releases the stream so that the rest can be drained; with a pending read, nobody can drain it.
      if (!isAwaited) await chunks.return?.();
    }
  }
}

function unwanted(headers: Record<string, string>): AppError {
  return new AppError('request_timeout', 'The body came too slowly while others were waiting. Send it again.', { headers });
}

function slowSender(bytesPerSecond: number): AppError {
  return new AppError('request_timeout', `The body came at less than ${bytesPerSecond} bytes a second. Send it again.`, {
    headers: { Connection: 'close' },
  });
}

/** Maximum bytes to drain of an unwanted body, so that its sender can read the error. */
const drainMaximumBytes = 32 * 1024 * 1024;
/** Maximum time for draining, in milliseconds. */
const drainTimeout = 30_000;

/** True if draining the body is impossible or useless. */
export function endsConnection(request: IncomingMessage): boolean {
  if (awaitsContinue(request)) return true;
  const length = request.headers['content-length'];
  return length === undefined || Number(length) > drainMaximumBytes;
}

/**
 * Drains the rest of a body. Browsers and most clients read the response only after sending everything; closing the connection
 * earlier would lose the response.
 * @returns false if the body did not end within 32 MiB and 30 seconds
 */
export function drainBody(request: IncomingMessage): Promise<boolean> {
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
      if (bytes > drainMaximumBytes) done();
    };
    const timer = setTimeout(done, drainTimeout);
    request.on('data', count).on('end', done).on('close', done);
    request.resume();
  });
}
