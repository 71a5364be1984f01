import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { AppError } from '../errors';
import { ownerOfRequest } from '../on-behalf-of';
import { Semaphore } from '../semaphore';
import type { ObjectStoreSettings } from './files-url';
import { readErrorCode } from './s3-xml';

/** A request to the bucket. */
export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Of the object, with the prefix; empty for the bucket itself. */
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Opened again for each attempt. */
  body?: { sha256: string; size: number; open(): Readable };
}

/** A completely read answer. */
export interface S3Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A failed request. `status` and `code` are those of the store's answer; null if there was none. */
export class S3Failure extends Error {
  override name = 'S3Failure';

  constructor(
    message: string,
    readonly status: number | null = null,
    readonly code: string | null = null,
    cause?: unknown,
  ) {
    super(message, { cause });
  }

  /** True if the same request may succeed later: the store is away or busy. */
  get isTemporary(): boolean {
    if (this.status === null || this.status === 408 || this.status === 429 || this.status >= 500) return true;
    return this.code === 'RequestTimeout' || this.code === 'OperationAborted' || this.code === 'SlowDown';
  }
}

/** How long the client waits, in milliseconds, and how often it tries. */
export interface S3Limits {
  connect: number;
  /** Without a byte in either direction. */
  silence: number;
  attempts: number;
  /** Before the second attempt; doubled for each further one. */
  backoff: number;
  /** After this time no further attempt begins. */
  patience: number;
}

const defaultLimits: S3Limits = { connect: 5_000, silence: 10_000, attempts: 4, backoff: 250, patience: 15_000 };

/** Maximum bytes of an answer that is read as a whole; a page of 1,000 objects has about 400,000. */
const maximumText = 4 * 1024 * 1024;

const sha256OfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Answers 503: what needed the store may be tried again. */
export function filesUnavailable(cause: unknown): AppError {
  const headers = { 'Retry-After': '5' };
  return new AppError('unavailable', 'Files can’t be reached right now. Try again in a few seconds.', { headers, cause });
}

/** A client for one bucket of an S3-compatible store, by path-style addresses. */
export class S3Client {
  readonly #settings: ObjectStoreSettings;
  readonly #limits: S3Limits;
  readonly #agent: http.Agent | https.Agent;
  readonly #keys = new Map<string, ArrayBuffer>();
  /** Downloads are counted apart: their readers may be slow, and must not hold up uploads. One business gets half of either. */
  readonly #requests = new Semaphore({ permits: 16, permitsPerOwner: 8, queued: 10_000, maxWait: 30_000 });
  readonly #downloads = new Semaphore({ permits: 256, permitsPerOwner: 128, queued: 1_000, maxWait: 10_000 });

  constructor(settings: ObjectStoreSettings, limits: Partial<S3Limits> = {}) {
    this.#settings = settings;
    this.#limits = { ...defaultLimits, ...limits };
    this.#agent = new (this.#isTls ? https : http).Agent({ keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' });
  }

  get #isTls(): boolean {
    return this.#settings.endpoint.startsWith('https:');
  }

  /**
   * Sends a request and reads the whole answer; repeats it while the store is away or busy.
   * @param expected statuses that are no failure
   * @throws AppError unavailable, caused by an S3Failure unless the queue was full
   */
  request(request: S3Request, expected: number[], attempts = this.#limits.attempts): Promise<S3Answer> {
    return this.#requests

      .run({ owner: ownerOfRequest() }, () => this.#retry(attempts, () => this.#attempt(request, expected)))
      .catch((error: unknown) => {
        throw filesUnavailable(error);
      });
  }

  /**
   * Opens an object. The stream fails if the connection does, and closes it when it is destroyed.
   * @returns null if there is none
   * @throws AppError unavailable
   */
  async download(key: string): Promise<{ size: number; stream: Readable } | null> {
    const leave = await new Promise<() => void>((resolve, reject) =>
      this.#downloads.enter({ owner: ownerOfRequest() }, resolve, reject),
    ).catch((error) => {
      throw filesUnavailable(error);
    });
    try {
      const response = await this.#retry(this.#limits.attempts, async () => {
        const opened = await this.#open({ method: 'GET', key });
        if (opened.statusCode === 200) return opened;
        const failure = await this.#failureOf(opened, { method: 'GET', key });
        if (failure.code === 'NoSuchKey') return null;
        throw failure;
      });
      if (!response) {
        leave();
        return null;
      }
      const stream = Readable.from(this.#chunksOf(response), { objectMode: false });
      stream.once('close', () => {
        response.destroy();
        leave();
      });
      return { size: Number(response.headers['content-length'] ?? Number.NaN), stream };
    } catch (error) {
      leave();
      throw filesUnavailable(error);
    }
  }

  async #retry<T>(attempts: number, attempt: () => Promise<T>): Promise<T> {
    const { backoff, patience } = this.#limits;
    const begun = performance.now();
    for (let tried = 1; ; tried++) {
      try {
        return await attempt();
      } catch (error) {
        const isTemporary = error instanceof S3Failure && error.isTemporary;
        if (!isTemporary || tried >= attempts || performance.now() - begun > patience) throw error;
        await delay(backoff * 2 ** (tried - 1) * (0.5 + Math.random()));
      }
    }
  }

  async #attempt(request: S3Request, expected: number[]): Promise<S3Answer> {
    const response = await this.#open(request);
    const status = response.statusCode ?? 0;
    if (!expected.includes(status)) throw await this.#failureOf(response, request);
    return { status, headers: response.headers, text: await this.#textOf(response) };
  }

  async #failureOf(response: http.IncomingMessage, { method, key }: S3Request): Promise<S3Failure> {
    const status = response.statusCode ?? 0;
    // A broken error document must not hide the status.
    const code = readErrorCode(await this.#textOf(response).catch(() => ''));
    return new S3Failure(`${method} ${key || 'bucket'}: ${status}${code ? ` ${code}` : ''}`, status, code);
  }

  async #textOf(response: http.IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.#chunksOf(response)) {
      size += chunk.length;
      if (size > maximumText) throw new S3Failure('the answer is too long', response.statusCode);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** The body. Counts the silence only while a chunk is wanted: a slow reader is no fault of the store. */
  async *#chunksOf(response: http.IncomingMessage): AsyncGenerator<Buffer> {
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      for (;;) {
        const timer = setTimeout(() => response.destroy(new Error('the store fell silent')), this.#limits.silence);
        const next = await chunks.next().finally(() => clearTimeout(timer));
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      throw new S3Failure(`the answer broke off: ${(error as Error).message}`, null, null, error);
    } finally {
      response.destroy();
    }
  }

  async #signed({
    method,
    key,
    query = {},
    headers = {},
    body,
  }: S3Request): Promise<{ url: URL; headers: Record<string, string> }> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.#settings;
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, accessKeyId, secretAccessKey, region, service: 's3', cache: this.#keys },
      // Signed: the store refuses a body that is not of this hash.
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? sha256OfNothing },
    });
    const signed = await signer.sign();
    return { url: signed.url, headers: Object.fromEntries(signed.headers) };
  }

  /** Sends one request. @returns the answer with its body unread; throws S3Failure */
  async #open(request: S3Request): Promise<http.IncomingMessage> {
    const { url, headers } = await this.#signed(request);
    const { body, method } = request;
    if (method === 'PUT') headers['content-length'] = String(body?.size ?? 0);
    const outgoing = (this.#isTls ? https : http).request(url, { method, headers, agent: this.#agent });
    const { connect, silence } = this.#limits;
    let timer = setTimeout(() => outgoing.destroy(new Error('the store could not be reached in time')), connect);
    let isAnswered = false;
    const moved = () => {
      clearTimeout(timer);
      if (isAnswered) return;
      timer = setTimeout(() => outgoing.destroy(new Error('the store did not answer in time')), silence);
    };
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) return moved();
      socket.once(this.#isTls ? 'secureConnect' : 'connect', moved);
    });
    try {
      return await new Promise<http.IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve).on('error', reject);
        if (!body) return void outgoing.end();
        // A refusal may come before the whole body is sent: the answer counts, not the broken upload.
        pipeline(watched(body.open(), moved), outgoing).catch((error) => outgoing.destroy(error));
      });
    } catch (error) {
      throw new S3Failure(`${method} ${request.key || 'bucket'}: ${(error as Error).message}`, null, null, error);
    } finally {
      isAnswered = true;
      clearTimeout(timer);
    }
  }
}

/** Calls `moved` for each chunk that is taken. */
async function* watched(content: Readable, moved: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    moved();
    yield chunk as Buffer;
  }
}
