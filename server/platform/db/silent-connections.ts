import type pg from 'pg';
import { logOutage } from '../outage-log';
import { oncePerProcess } from '../process-globals';
import { Client, closeConnection, destroyConnection, socketOf } from './connection';

/**
 * Detects silently dead connections: after a failover, a firewall timeout, or a proxy that stopped forwarding. Nothing arrives
 * on them, not even an error, so a statement would wait for ever and keep its slot in the pool.
 * A plain statement timeout can't distinguish such a connection from a slow statement. So after some seconds without data, a
 * new connection asks the server what the silent one is doing. It is closed unless the server is working on its statement.
 */

interface Watched {
  client: pg.ClientBase;
  config: pg.ClientConfig;
  options: SilenceOptions;
  /** Bytes received and sent so far, at the last check. */
  traffic: number;
  /** When a waiting statement last had traffic, by `performance.now()`. */
  silentSince: number;
  /** When the server was last asked about it, by `performance.now()`. */
  askedAt: number;
  isBeingAsked: boolean;
}

export interface SilenceOptions {
  /** Milliseconds without an answer before the server is asked, and between repeated checks. */
  patience?: number;
  /** Called and awaited before a connection is destroyed. */
  onDead?(): Promise<void>;
  /**
   * Called when bytes move on the connection, or the server reports that it is working on the statement (waiting for a lock
   * does not count).
   */
  onActive?(): void;
}

/**
 * In milliseconds: silence before the first check, the timeout of a check, and the maximum silence if the server can't tell (a
 * pooler uses its own process ids).
 */
export const silenceLimits = { patience: 5_000, answerTime: 5_000, unknown: 60_000 };

const interval = 500;

/** Parts of pg's client that are missing from its types. */
interface ClientInternals {
  readyForQuery: boolean;
  /** Null if a pooler did not send it. */
  processID: number | null;
}

const internals = (client: pg.ClientBase) => client as unknown as ClientInternals;

function trafficOf(client: pg.ClientBase): number {
  const stream = socketOf(client);
  return stream.bytesRead + stream.bytesWritten - stream.writableLength;
}

/** True if a statement waits for the server. A paused socket (a slow reader of a COPY) is not the server's silence. */
function isWaiting(client: pg.ClientBase): boolean {
  return !internals(client).readyForQuery && !socketOf(client).isPaused();
}

interface Watch {
  connections: Set<Watched>;
  timer: NodeJS.Timeout | null;
}

function watch(): Watch {
  return oncePerProcess<Watch>('silence-watch', () => ({ connections: new Set(), timer: null }));
}

/** Watches an open connection until it ends. `config` is its configuration, also used for the check connection. */
export function watchForSilence(client: pg.ClientBase, config: pg.ClientConfig, options: SilenceOptions = {}): void {
  const state = watch();
  const now = performance.now();
  const watched = { client, config, options, traffic: trafficOf(client), silentSince: now, askedAt: now, isBeingAsked: false };
  state.connections.add(watched);
  client.once('end', () => {
    state.connections.delete(watched);
    if (state.connections.size > 0 || !state.timer) return;
    clearInterval(state.timer);
    state.timer = null;
  });
  state.timer ??= setInterval(checkConnections, interval).unref();
}

/** True if a statement waits and nothing has moved since the last check. */
function isSilent(watched: Watched): boolean {
  const traffic = trafficOf(watched.client);
  const hasMoved = traffic !== watched.traffic;
  if (hasMoved) watched.options.onActive?.();
  if (isWaiting(watched.client) && !hasMoved) return true;
  watched.traffic = traffic;
  watched.silentSince = performance.now();
  watched.askedAt = watched.silentSince;
  return false;
}

function checkConnections(): void {
  const byServer = new Map<string, Watched[]>();
  for (const watched of watch().connections) {
    const { isBeingAsked, askedAt, options, config } = watched;
    if (!isSilent(watched) || isBeingAsked) continue;
    if (performance.now() - askedAt < (options.patience ?? silenceLimits.patience)) continue;
    const server = JSON.stringify([config.connectionString, config.host, config.port]);
    byServer.set(server, [...(byServer.get(server) ?? []), watched]);
  }
  for (const silent of byServer.values()) void closeDeadConnections(silent);
}

async function closeDeadConnections(silent: readonly Watched[]): Promise<void> {
  const [first] = silent;
  if (!first) return;
  for (const watched of silent) watched.isBeingAsked = true;
  const inquiry = await askServer(
    first.config,
    silent.map(({ client }) => client),
  );
  for (const watched of silent) {
    watched.isBeingAsked = false;
    watched.askedAt = performance.now();
    // Data that was in transit, or waited while this process was busy, has arrived by now.
    if (!isSilent(watched)) continue;
    const activity = activityIn(inquiry.answer, watched.client);
    if (activity === 'working') watched.options.onActive?.();
    if (activity === 'working' || activity === 'waiting') continue;
    if (activity === 'unknown' && performance.now() - watched.silentSince < silenceLimits.unknown) continue;
    logOutage('silent connection', { activity }, 'a database connection that does not answer any more was closed');
    // The server may not notice for hours, and would keep the connection's locks.
    if (activity === 'idle') await inquiry.terminate(watched);
    await watched.options.onDead?.();
    destroyConnection(watched.client);
  }
  await inquiry.close();
}

/**
 * `working`: on a statement of that connection. `waiting`: for a lock. `idle`: it has answered, or never received the
 * statement. `gone`: no such connection.
 */
type Activity = 'working' | 'waiting' | 'idle' | 'gone' | 'unknown' | 'unreachable';

type Answer = Map<number, Activity> | 'unknown' | 'unreachable';

function activityIn(answer: Answer, client: pg.ClientBase): Activity {
  const { processID } = internals(client);
  if (!(answer instanceof Map)) return answer;
  return processID === null ? 'unknown' : (answer.get(processID) ?? 'gone');
}

interface ActivityRow {
  own: number;
  pid: number | null;
  state: string | null;
  waitsFor: string | null;
}

/** A server that waits for its client is not working: data is lost in one direction or the other. */
function activityOf({ state, waitsFor }: ActivityRow): Activity {
  if (state === 'active') return waitsFor === 'Client' ? 'idle' : waitsFor === 'Lock' ? 'waiting' : 'working';
  return state === null || state === 'disabled' ? 'unknown' : 'idle';
}

const activityQuery = `SELECT pg_backend_pid() AS own, pid, state, wait_event_type AS "waitsFor"
  FROM (SELECT 1) AS always LEFT JOIN pg_stat_activity ON pid = ANY ($1)`;

/** The activity of server connections by process id, or one answer for all of them; and the connection used to ask. */
interface Inquiry {
  answer: Answer;
  terminate(watched: Watched): Promise<void>;
  close(): Promise<void>;
}

/** Compares the name as well: after a failover, the process id may belong to another connection. */
const terminateQuery = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = $2';

async function askServer(config: pg.ClientConfig, clients: readonly pg.ClientBase[]): Promise<Inquiry> {
  const { answerTime } = silenceLimits;
  const limits = { connectionTimeoutMillis: answerTime, query_timeout: answerTime };
  const asking = new Client({ ...config, ...limits, application_name: 'frontdesk-watch' });
  asking.on('error', () => undefined);
  const terminate = async ({ client }: Watched) => {
    const values = [internals(client).processID, config.application_name ?? ''];
    await asking.query(terminateQuery, values).catch(() => undefined);
  };
  return { answer: await answerOf(asking, clients), terminate, close: () => closeConnection(asking) };
}

async function answerOf(asking: pg.Client, clients: readonly pg.ClientBase[]): Promise<Answer> {
  try {
    await asking.connect();
    const pids = clients.map((client) => internals(client).processID ?? 0);
    const { rows } = await asking.query<ActivityRow>(activityQuery, [pids]);
    // A pooler in between uses its own process ids.
    if (rows[0]?.own !== internals(asking).processID) return 'unknown';
    return new Map(rows.map((row) => [row.pid ?? 0, activityOf(row)]));
  } catch (error) {
    // The server itself answered: too many connections, or it is starting.
    return /^[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? '') ? 'unknown' : 'unreachable';
  }
}
