import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { logFailure } from '../outage-log';
import { oncePerProcess } from '../process-globals';
import { Client, closeConnection, within } from './connection';
import { directConfig, pool } from './pool';
import { watchForSilence } from './silent-connections';
import type { Queryable } from './sql';

/** Notifications of other processes, over one connection of this one. Some may get lost with it, so nothing may depend on them. */

export interface Channel {
  received(payload: string): void;
  /** The connection listens, for the first time or again. */
  opened(): void;
}

interface Listening {
  channels: Map<string, Channel>;
  /** The open connection. */
  client: pg.Client | null;
  /** The last statement on it, which runs one at a time. */
  last: Promise<unknown>;
  /** Ends with the last channel. */
  loop: Promise<void> | null;
}

const heartbeat = 5_000;
const reconnectPause = 1_000;
/** Milliseconds that a connection which is being opened may hold up the end. */
const closeTimeout = 2_000;

function listening(): Listening {
  return oncePerProcess<Listening>('listening', () => ({
    channels: new Map(),
    client: null,
    last: Promise.resolve(),
    loop: null,
  }));
}

function inTurn<T>(state: Listening, work: () => Promise<T>): Promise<T> {
  const answer = state.last.then(work);
  state.last = answer.catch(() => undefined);
  return answer;
}

async function open(state: Listening, client: pg.Client, name: string, channel: Channel): Promise<void> {
  await inTurn(state, () => client.query(`LISTEN ${name}`));
  channel.opened();
}

/** Receives until the connection is lost or closed. */
async function receiveOnce(state: Listening): Promise<void> {
  const config = directConfig('frontdesk-listen');
  const client = new Client(config);
  const lost = new Promise<void>((resolve) => client.once('end', () => resolve()));
  client.on('error', () => undefined);
  client.on('notification', ({ channel, payload = '' }) => state.channels.get(channel)?.received(payload));
  // Without statements, a silently dead connection would go unnoticed.
  const timer = setInterval(
    () => state.client && void inTurn(state, () => client.query('SELECT 1')).catch(() => undefined),
    heartbeat,
  ).unref();
  try {
    await client.connect();
    watchForSilence(client, config);
    state.client = client;
    state.last = Promise.resolve();
    for (const [name, channel] of state.channels) await open(state, client, name, channel);
    // All channels were closed while it connected.
    if (state.channels.size === 0) return;
    await lost;
  } finally {
    clearInterval(timer);
    state.client = null;
    await closeConnection(client);
  }
}

async function receive(state: Listening): Promise<void> {
  while (state.channels.size > 0) {
    await receiveOnce(state).catch((error: unknown) => logFailure(error, {}, 'notifications of other servers are not received'));
    if (state.channels.size > 0) await setTimeout(reconnectPause, undefined, { ref: false });
  }
}

/** Receives what is sent to a channel. @returns a function that stops it */
export function listenTo(name: string, channel: Channel): () => Promise<void> {
  const state = listening();
  state.channels.set(name, channel);
  // A connection that is being opened listens to all channels that there are then.
  if (state.client) void open(state, state.client, name, channel).catch(() => undefined);
  state.loop ??= receive(state).finally(() => {
    state.loop = null;
  });
  return async () => {
    state.channels.delete(name);
    if (state.channels.size > 0) return;
    if (state.client) await closeConnection(state.client);
    await within(closeTimeout, state.loop ?? Promise.resolve());
  };
}

/**
 * Runs a statement on the connection that listens, which is free also while requests hold all connections of the pool. If that is not open,
 * or fails, it runs on the pool, so it is repeatable.
 */
export async function besidePool<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
  const state = listening();
  const { client } = state;
  if (!client) return work(pool());
  return inTurn(state, () => work(client)).catch(() => work(pool()));
}
