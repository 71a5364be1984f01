import type { Socket } from 'node:net';
import pg from 'pg';
import { type Callback, isNamed, NamedQuery } from './named-query';

/**
 * Common settings of all database connections, beside the time to connect (`Client`): TCP keep-alive. A connection whose statement
 * gets no answer is closed (see silent-connections.ts).
 */
export const connectionLimits = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } satisfies pg.ClientConfig;

/** Milliseconds to connect. */
const connectTimeout = 5_000;

const steps = 10;

/**
 * Calls `act` after so many milliseconds, of which only those count in which this process could read what it waits for: a timer that
 * is due goes first, so that after a long computation or a pause of the machine, a plain one fires although the answer is there.
 * @returns a function that cancels it
 */
function afterFreeTime(milliseconds: number, act: () => void): () => void {
  let left = steps;
  const timer = setInterval(() => {
    left--;
    if (left > 0) return;
    clearInterval(timer);
    act();
  }, milliseconds / steps).unref();
  return () => clearInterval(timer);
}

/**
 * A connection to PostgreSQL. It fails if it is not there after five seconds (or `connectionTimeoutMillis`) in which this process was
 * free to wait for it.
 */
export class Client extends pg.Client {
  constructor({ connectionTimeoutMillis, ...config }: pg.ClientConfig = {}) {
    super(config);
    const giveUp = () => socketOf(this).destroy(new Error('timeout expired'));
    const stop = afterFreeTime(connectionTimeoutMillis || connectTimeout, giveUp);
    this.once('connect', stop).once('end', stop);
  }

  /** pg's own, but for named statements with their values. */
  override query = ((statement: unknown, values?: unknown, callback?: unknown) => {
    if (!isNamed(statement) || values !== undefined)
      return (super.query as (...given: unknown[]) => unknown)(statement, values, callback);
    if (callback) return void super.query(new NamedQuery(statement, callback as Callback));
    return new Promise<pg.QueryResult>((resolve, reject) => {
      super.query(new NamedQuery(statement, (error, result) => (error ? reject(error) : resolve(result))));
    }).catch((error: Error) => {
      // As pg does: without it, the trace begins at the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }) as pg.Client['query'];
}

/** The socket of a connection; with TLS, the inner one. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Holds back what is sent from now on. @returns a function that sends it, in one packet: each is a call of the system */
export function holdBack(client: pg.ClientBase): () => void {
  const socket = socketOf(client);
  socket.cork();
  return () => socket.uncork();
}

/** Destroys a connection without waiting for the server: its current and next statement fail. */
export function destroyConnection(client: pg.ClientBase): void {
  socketOf(client).destroy();
}

/** Milliseconds the server may take to close a connection. */
const closeTimeout = 2_000;

/** Waits for `work`, but at most `milliseconds`. @returns whether it finished in time */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const done = work.then(
    () => true,
    () => true,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}

/** Closes a connection gracefully, or forcibly after two seconds. */
export async function closeConnection(client: pg.Client): Promise<void> {
  if (!(await within(closeTimeout, client.end()))) destroyConnection(client);
}

/** Closes a pool: waits two seconds for connections in use, then destroys the remaining `clients`. */
export async function closeConnections(pool: pg.Pool, clients: ReadonlySet<pg.ClientBase>): Promise<void> {
  const ended = pool.end();
  if (await within(closeTimeout, ended)) return;
  for (const client of clients) destroyConnection(client);
  await within(closeTimeout, ended);
}
