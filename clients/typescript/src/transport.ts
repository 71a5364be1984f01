import { readAnswer } from './answer.js';
import { FrontdeskConnectionError, FrontdeskError } from './errors.js';
import type { Answer } from './methods.js';
import type { Operation } from './operation.js';
import { type AnyOptions, apiAddress, type Input, type PreparedRequest, prepareRequest } from './request.js';
import { type Clock, retryDelay } from './retry.js';

export interface FrontdeskOptions {
  /** Where the installation is, e.g. `https://desk.example`; with or without `/api/v1`. */
  baseUrl: string;
  /** An API key of the identity (`sk_live_…`), or a function that gives one; it is asked before each call. */
  apiKey: string | (() => string | Promise<string>);
  /** Instead of the platform's own. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a call that failed in passing is tried again; 3 unless given, 0 for never. */
  maximumRetries?: number | undefined;
  /** Milliseconds each attempt may take; 30,000 unless given. */
  timeoutMs?: number | undefined;
  /** Sent with every call. */
  headers?: Record<string, string> | undefined;
}

const defaultMaximumRetries = 3;
const defaultTimeoutMs = 30_000;

export type Send = (operation: Operation, input: Input, options: AnyOptions) => Promise<Answer<unknown>>;

async function commonHeaders({ apiKey, headers }: FrontdeskOptions): Promise<Headers> {
  const common = new Headers({ Accept: 'application/json', ...headers });
  common.set('Authorization', `Bearer ${typeof apiKey === 'function' ? await apiKey() : apiKey}`);
  return common;
}

/** A signal that fires with the caller's or after a time, whichever is first; `release` when neither matters any more. */
function limit(signal: AbortSignal | undefined, timeoutMs: number) {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const state = { timedOut: false };
  const timer = setTimeout(() => {
    state.timedOut = true;
    controller.abort();
  }, timeoutMs);
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  const release = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, state, release };
}

/** Carries out calls of one client: sends, reads, and tries again what failed in passing. */
export function createTransport(client: FrontdeskOptions, clock: Clock): Send {
  const api = apiAddress(client.baseUrl);

  async function attempt(request: PreparedRequest, operation: Operation, options: AnyOptions): Promise<Answer<unknown>> {
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? defaultTimeoutMs;
    const limited = limit(options.signal, timeoutMs);
    // Called as a function of its own: browsers refuse a `fetch` that is called as a method of something else.
    const fetch = client.fetch ?? globalThis.fetch;
    try {
      const response = await fetch(request.url, { ...request.init, redirect: 'manual', signal: limited.signal });
      return await readAnswer(response, operation.download ?? false);
    } catch (error) {
      if (error instanceof FrontdeskError) throw error;
      options.signal?.throwIfAborted();
      const { timedOut } = limited.state;
      const what = timedOut ? `No answer within ${timeoutMs} ms` : 'No answer';
      throw new FrontdeskConnectionError(`${what} from ${api}.`, { timedOut, cause: error });
    } finally {
      limited.release();
    }
  }

  return async (operation, input, options) => {
    options.signal?.throwIfAborted();
    const request = prepareRequest(api, operation, input, options, await commonHeaders(client));
    const maximumRetries = options.maximumRetries ?? client.maximumRetries ?? defaultMaximumRetries;
    for (let failures = 0; ; failures++) {
      try {
        return await attempt(request, operation, options);
      } catch (error) {
        const delay = failures < maximumRetries ? retryDelay(error, failures, clock) : null;
        if (delay === null) throw error;
        await clock.sleep(delay, options.signal);
      }
    }
  };
}
