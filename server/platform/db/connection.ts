import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * What every connection to the database has in common: opening it takes five seconds at most, TCP asks an idle peer for a sign of life,
 * and one whose statement is not answered any more is closed (see silence.ts).
 */
export const connectionLimits = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies pg.ClientConfig;

/** The socket of a connection; with TLS, the one inside. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Closes a connection without waiting for the other side: its statement fails, and the next one too. */
export function breakOff(client: pg.ClientBase): void {
  socketOf(client).destroy();
}

/** How long the other side may take to close a connection, in milliseconds. */
const farewell = 2_000;

/** Resolves as `work` does, or after `milliseconds`. @returns whether it was done in time */
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

/** Closes a connection: politely, or after two seconds without. */
export async function closeConnection(client: pg.Client): Promise<void> {
  if (!(await within(farewell, client.end()))) breakOff(client);
}

/** Closes a pool: waits two seconds for connections in use, then breaks off whatever is left of `clients`. */
export async function closeConnections(pool: pg.Pool, clients: ReadonlySet<pg.ClientBase>): Promise<void> {
  const ended = pool.end();
  if (await within(farewell, ended)) return;
  for (const client of clients) breakOff(client);
  await within(farewell, ended);
}
