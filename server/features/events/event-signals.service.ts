import { setTimeout } from 'node:timers/promises';
import { listenTo } from '@/server/platform/db/listen';
import { pool } from '@/server/platform/db/pool';
import { afterCommit, type StatementRunner } from '@/server/platform/db/transaction';
import { logFailure } from '@/server/platform/outage-log';
import { oncePerProcess } from '@/server/platform/process-globals';

/**
 * Tells those who wait for events of an identity that there are some, in this process and in others. Sent after the commit and not as
 * part of it, since PostgreSQL lets transactions that notify commit one after another only. A signal may get lost (a killed process, a
 * lost connection), so waiters also look by themselves from time to time.
 */

const channel = 'frontdesk_events';

/** Signals of this many milliseconds are sent to other processes together. */
const collecting = 20;
/** Identities in one notification, which PostgreSQL limits to 8,000 bytes. */
const perNotification = 200;

interface Waiter {
  caller: string;
  notice: () => void;
}

interface Signals {
  /** By identity. */
  waiting: Map<string, Set<Waiter>>;
  /** Identities with events that other processes do not know about yet. */
  unsent: Set<string>;
  isSending: boolean;
  /** The process is stopping: nobody may wait any more. */
  isStopping: boolean;
}

function signals(): Signals {
  return oncePerProcess<Signals>('event-signals', () => ({
    waiting: new Map(),
    unsent: new Set(),
    isSending: false,
    isStopping: false,
  }));
}

function wake(identityId: string): void {
  for (const { notice } of signals().waiting.get(identityId) ?? []) notice();
}

async function notifyOthers(): Promise<void> {
  const { unsent } = signals();
  await setTimeout(collecting);
  while (unsent.size > 0) {
    const identities = [...unsent].slice(0, perNotification);
    for (const identityId of identities) unsent.delete(identityId);
    await pool().query({ name: 'events-notify', text: 'SELECT pg_notify($1, $2)', values: [channel, identities.join(' ')] });
  }
}

function signal(identityId: string): void {
  const state = signals();
  wake(identityId);
  state.unsent.add(identityId);
  if (state.isSending) return;
  state.isSending = true;
  notifyOthers()
    .catch((error: unknown) => logFailure(error, {}, 'other servers did not get word of events'))
    .finally(() => {
      state.isSending = false;
    });
}

/** Wakes those who wait for events of this identity once the open transaction has committed. */
export function signalAfterCommit(db: StatementRunner, identityId: string): void {
  afterCommit(db, `events:${identityId}`, () => signal(identityId));
}

/** How many wait for events of this identity in this process; of one caller, if given. */
export function countWaiting(identityId: string, caller?: string): number {
  const waiters = [...(signals().waiting.get(identityId) ?? [])];
  return waiters.filter((waiter) => caller === undefined || waiter.caller === caller).length;
}

export function isStopping(): boolean {
  return signals().isStopping;
}

export interface Waiting {
  /**
   * Resolves at the next signal, also one sent since the last call; after `milliseconds`; or when the caller has gone or the process
   * stops.
   */
  next(milliseconds: number): Promise<void>;
  end(): void;
}

interface WaitOptions {
  /** Who waits; see `countWaiting`. */
  caller: string;
  /** Aborted when the client has disconnected. */
  gone?: AbortSignal | undefined;
}

/** Begins to listen for signals of an identity. */
export function waitForEvents(identityId: string, { caller, gone }: WaitOptions): Waiting {
  const state = signals();
  const { waiting } = state;
  let isDue = false;
  let resume: () => void = () => undefined;
  const notice = () => {
    isDue = true;
    resume();
  };
  const waiter = { caller, notice };
  const waiters = waiting.get(identityId) ?? new Set<Waiter>();
  waiting.set(identityId, waiters.add(waiter));
  gone?.addEventListener('abort', notice);
  return {
    next: (milliseconds) =>
      new Promise((resolve) => {
        const timer = globalThis.setTimeout(done, milliseconds);
        function done() {
          clearTimeout(timer);
          isDue = false;
          resume = () => undefined;
          resolve();
        }
        resume = done;
        if (isDue || state.isStopping || gone?.aborted) done();
      }),
    end: () => {
      waiters.delete(waiter);
      if (waiters.size === 0 && waiting.get(identityId) === waiters) waiting.delete(identityId);
      gone?.removeEventListener('abort', notice);
    },
  };
}

/** Ends all waiting, so that open requests are answered before the server stops. */
export function stopWaiting(): void {
  const state = signals();
  state.isStopping = true;
  for (const identityId of state.waiting.keys()) wake(identityId);
}

/** Receives the signals of other processes. @returns a function that stops it */
export function listenForEvents(): () => Promise<void> {
  return listenTo(channel, {
    received: (payload) => {
      for (const identityId of payload.split(' ')) wake(identityId);
    },
    // Signals sent while the connection was down.
    opened: () => {
      for (const identityId of signals().waiting.keys()) wake(identityId);
    },
  });
}
