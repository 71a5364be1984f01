import { errorFacts } from '@/app/_kit/error-facts';
import type { EventRecord } from '@/server/features/events/event.schema';
import { type Outcome, pacing } from './pacing';

export interface LogPage {
  events: EventRecord[];
  nextCursor: string;
  hasMore: boolean;
}

export type ReadLog = (input: { after: string; wait: number }, signal: AbortSignal) => Promise<LogPage>;

interface FollowOptions {
  read: ReadLog;
  /** Where to go on; without it, from now on. */
  from: string | undefined;
  onPage: (page: LogPage) => void;
  /** Called when following begins at the present: what happened before is not reported. */
  onStart: (cursor: string) => void;
  onConnected: (isConnected: boolean) => void;
  /** Called if reading is refused permanently, for example after signing out. Following has then ended. */
  onRefused: () => void;
  signal: AbortSignal;
  pace?: ReturnType<typeof pacing>;
}

/** Resolves after a while, when the connection returns, or when following ends. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      globalThis.removeEventListener?.('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    }
    globalThis.addEventListener?.('online', done);
    signal.addEventListener('abort', done);
  });
}

const refusals: readonly string[] = ['signed_out', 'identity_not_found', 'forbidden'];

/** Follows the event log with one request at a time, until `signal` is aborted. */
export async function followLog(options: FollowOptions): Promise<void> {
  const { read, onPage, onStart, onConnected, onRefused, signal, pace = pacing() } = options;
  let cursor = options.from;
  while (!signal.aborted) {
    const isStart = cursor === undefined;
    const wait = isStart ? 0 : pace.wait();
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    let outcome: Outcome;
    try {
      const page = await read({ after: cursor ?? 'now', wait }, signal);
      if (signal.aborted) return;
      cursor = page.nextCursor;
      outcome =
        page.events.length > 0 || page.hasMore
          ? { kind: 'events', hasMore: page.hasMore, elapsed: elapsed() }
          : { kind: 'nothing', waited: wait, elapsed: elapsed() };
      onConnected(true);
      if (isStart) onStart(page.nextCursor);
      else onPage(page);
    } catch (error) {
      if (signal.aborted) return;
      const { code } = errorFacts(error);
      onConnected(false);
      if (refusals.includes(code)) return onRefused();
      if (code === 'invalid_cursor') cursor = undefined;
      outcome = { kind: 'failure', elapsed: elapsed() };
    }
    await sleep(pace.pauseAfter(outcome), signal);
  }
}
