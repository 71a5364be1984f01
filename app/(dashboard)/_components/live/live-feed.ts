import { useSyncExternalStore } from 'react';
import type { EventRecord } from '@/server/features/events/event.schema';
import { followLog, type ReadLog } from './follow-log';

/** What happened in the business, or that something may have been missed. */
export type LiveNotice =
  | { kind: 'events'; events: readonly EventRecord[] }
  /** Following begins at the present. `isGap` if it was followed before. */
  | { kind: 'start'; isGap: boolean }
  | { kind: 'refused' };

type Listener = (notice: LiveNotice) => void;

const listeners = new Set<Listener>();

/** Reports what the tab's one feed receives. @returns a function that ends it */
export function subscribeToFeed(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(notice: LiveNotice): void {
  for (const listener of listeners) listener(notice);
}

let isConnected = true;
const connectionListeners = new Set<() => void>();

function setConnected(next: boolean): void {
  if (next === isConnected) return;
  isConnected = next;
  for (const listener of connectionListeners) listener();
}

function subscribeToConnection(listener: () => void): () => void {
  connectionListeners.add(listener);
  return () => connectionListeners.delete(listener);
}

/** False while the server can't be reached. */
export function useIsFeedConnected(): boolean {
  return useSyncExternalStore(
    subscribeToConnection,
    () => isConnected,
    () => true,
  );
}

/** What the tab that follows the log tells the others. */
type Shared =
  | { kind: 'page'; events: readonly EventRecord[]; cursor: string }
  | { kind: 'start'; cursor: string }
  | { kind: 'connected'; isConnected: boolean };

/** A tab that was hidden for longer does not catch up event by event. */
const catchUpLimit = 5 * 60_000;

interface FeedOptions {
  identityId: string;
  /** A cursor of the log; without it, from now on. */
  from: string | undefined;
  read: ReadLog;
}

/**
 * Follows the event log while the tab is visible. Of several visible tabs of an identity, one asks the server and tells the others;
 * where browsers have no locks, which is the case on plain http, each asks for itself.
 *
 * @returns a function that ends it
 */
export function startFeed({ identityId, from, read }: FeedOptions): () => void {
  const name = `frontdesk.events.${identityId}`;
  const locks = navigator.locks as LockManager | undefined;
  const channel = locks && typeof BroadcastChannel === 'function' ? new BroadcastChannel(name) : null;
  let cursor = from;
  let hasStarted = from !== undefined;
  let isFirst = true;
  let following: AbortController | null = null;
  let hiddenAt: number | null = null;
  /** True if another tab reported events while this one was hidden. */
  let isBehind = false;

  const receive = (shared: Shared) => {
    if (shared.kind === 'connected') {
      setConnected(shared.isConnected);
      return;
    }
    cursor = shared.cursor;
    if (shared.kind === 'page' && shared.events.length === 0) return;
    if (hiddenAt !== null) {
      isBehind = true;
      return;
    }
    if (shared.kind === 'page') publish({ kind: 'events', events: shared.events });
    else publish({ kind: 'start', isGap: hasStarted });
    hasStarted = true;
  };
  const share = (shared: Shared) => {
    receive(shared);
    channel?.postMessage(shared);
  };
  if (channel) channel.onmessage = ({ data }) => receive(data as Shared);

  const lead = (signal: AbortSignal) =>
    followLog({
      read,
      from: cursor,
      onPage: ({ events, nextCursor }) => share({ kind: 'page', events, cursor: nextCursor }),
      onStart: (start) => share({ kind: 'start', cursor: start }),
      onConnected: (isConnected) => share({ kind: 'connected', isConnected }),
      onRefused: () => publish({ kind: 'refused' }),
      signal,
    });

  /** What happened from `from` until this tab could hear of it from another one. */
  const catchUp = async (after: string, signal: AbortSignal) => {
    const missed = await read({ after, wait: 0 }, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (missed && !missed.hasMore) receive({ kind: 'page', events: missed.events, cursor: missed.nextCursor });
    else publish({ kind: 'start', isGap: true });
  };

  const follow = async (signal: AbortSignal) => {
    const isCatchingUp = isFirst;
    isFirst = false;
    if (!channel || !locks) return lead(signal);
    const hasLed = await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await lead(signal);
      return lock !== null;
    });
    if (hasLed || signal.aborted) return;
    if (from !== undefined && isCatchingUp) void catchUp(from, signal);
    // Waiting for the lock ends with an error when the tab is hidden.
    await locks.request(name, { signal }, () => lead(signal)).catch(() => undefined);
  };

  const show = () => {
    if (hiddenAt !== null && Date.now() - hiddenAt > catchUpLimit) cursor = undefined;
    hiddenAt = null;
    if (isBehind) publish({ kind: 'start', isGap: true });
    isBehind = false;
    following = new AbortController();
    void follow(following.signal);
  };
  const hide = () => {
    hiddenAt = Date.now();
    following?.abort();
    following = null;
  };
  const update = () => {
    if (document.hidden && following) hide();
    else if (!document.hidden && !following) show();
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    following?.abort();
    channel?.close();
  };
}
