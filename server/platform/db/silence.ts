import pg from 'pg';
import { logOutage } from '../outage-log';
import { oncePerProcess } from '../process-globals';
import { breakOff, closeConnection, socketOf } from './connection';

/**
 * Finds connections that died without a word: a failover, a firewall that forgot them, a proxy that stopped forwarding. Nothing arrives on
 * them any more, not even an error, so a statement would wait for ever and keep its place in the pool.
 *
 * A plain limit on the time of a statement can't tell such a connection from a slow statement. So where nothing was received for some
 * seconds, the server is asked over a new connection what the silent one is doing. It is closed unless the server is working for it.
 */

interface Watched {
  client: pg.ClientBase;
  config: pg.ClientConfig;
  options: SilenceOptions;
  /** Bytes received and sent so far, as last seen. */
  traffic: number;
  /** Since when nothing has moved while a statement waits; `performance.now()`. */
  silentSince: number;
  /** When the server was last asked about it. */
  askedAt: number;
  isBeingAsked: boolean;
}

export interface SilenceOptions {
  /** Milliseconds without an answer after which the server is asked, and asked again. */
  patience?: number;
  /** Called, and waited for, before a connection is broken off. */
  onDead?(): Promise<void>;
  /** Called where bytes move on the connection, and where the server says that it works on its statement (a lock it waits for is no work). */
  onActive?(): void;
}

/** Milliseconds: how long no one worries, and how long the server may take to say what a connection is doing. */
export const silenceLimits = { patience: 5_000, answerTime: 5_000 };

/** Where the server can't say (a pooler has numbers of its own), silence may last so long, in milliseconds. */
const unknownLimit = 60_000;

const interval = 500;

/** The parts of pg's client that its types leave out. */
interface ClientInternals {
  readyForQuery: boolean;
  /** Null where a pooler has not told it. */
  processID: number | null;
}

const internals = (client: pg.ClientBase) => client as unknown as ClientInternals;

function trafficOf(client: pg.ClientBase): number {
  const stream = socketOf(client);
  return stream.bytesRead + stream.bytesWritten - stream.writableLength;
}

/** Whether a statement waits for its answer; one that we don't read ourselves (a slow reader of a COPY) is not the server's silence. */
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

/** Watches an open connection until it ends. `config` is what it was opened with; the server is asked with the same. */
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
  state.timer ??= setInterval(look, interval).unref();
}

/** Whether nothing has moved since the last look although a statement waits. */
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

function look(): void {
  const byServer = new Map<string, Watched[]>();
  for (const watched of watch().connections) {
    const { isBeingAsked, askedAt, options, config } = watched;
    if (!isSilent(watched) || isBeingAsked) continue;
    if (performance.now() - askedAt < (options.patience ?? silenceLimits.patience)) continue;
    const server = JSON.stringify([config.connectionString, config.host, config.port]);
    byServer.set(server, [...(byServer.get(server) ?? []), watched]);
  }
  for (const silent of byServer.values()) void judge(silent);
}

async function judge(silent: readonly Watched[]): Promise<void> {
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
    // What was on its way, or waited while this process was busy, is here by now.
    if (!isSilent(watched)) continue;
    const activity = activityIn(inquiry.answer, watched.client);
    if (activity === 'working') watched.options.onActive?.();
    if (activity === 'working' || activity === 'waiting') continue;
    if (activity === 'unknown' && performance.now() - watched.silentSince < unknownLimit) continue;
    logOutage('silent connection', { activity }, 'a database connection that does not answer any more was closed');
    // The server may not notice for hours, and keep the locks of that connection in the meantime.
    if (activity === 'idle') await inquiry.terminate(watched);
    await watched.options.onDead?.();
    breakOff(watched.client);
  }
  await inquiry.close();
}

/** `working`: on a statement of that connection. `waiting`: for a lock that it needs. `idle`: it has answered, or never got the statement. `gone`: it has no such connection. */
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

/** One that waits for its client is not working: either what it sends does not arrive here, or what we send does not arrive there. */
function activityOf({ state, waitsFor }: ActivityRow): Activity {
  if (state === 'active') return waitsFor === 'Client' ? 'idle' : waitsFor === 'Lock' ? 'waiting' : 'working';
  return state === null || state === 'disabled' ? 'unknown' : 'idle';
}

const activityQuery = `SELECT pg_backend_pid() AS own, pid, state, wait_event_type AS "waitsFor"
  FROM (SELECT 1) AS always LEFT JOIN pg_stat_activity ON pid = ANY ($1)`;

/** What the server says of its connections, by their numbers there, or what goes for all of them; and the connection it was asked over. */
interface Inquiry {
  answer: Answer;
  terminate(watched: Watched): Promise<void>;
  close(): Promise<void>;
}

/** The name is compared as well: after a failover, the number may be that of another connection. */
const terminateQuery = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = $2';

async function askServer(config: pg.ClientConfig, clients: readonly pg.ClientBase[]): Promise<Inquiry> {
  const { answerTime } = silenceLimits;
  const limits = { connectionTimeoutMillis: answerTime, query_timeout: answerTime };
  const asking = new pg.Client({ ...config, ...limits, application_name: 'frontdesk-watch' });
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
    // A pooler in between has other numbers than the server.
    if (rows[0]?.own !== internals(asking).processID) return 'unknown';
    return new Map(rows.map((row) => [row.pid ?? 0, activityOf(row)]));
  } catch (error) {
    // The server itself has answered: too many connections, or it is just starting.
    return /^[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? '') ? 'unknown' : 'unreachable';
  }
}
