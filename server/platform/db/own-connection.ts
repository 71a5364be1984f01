import type pg from 'pg';
import { Client, closeConnection, connectionLimits, destroyConnection } from './connection';
import { watchForSilence } from './silent-connections';
import { limitStatements } from './time-limits';

interface OpenOptions {
  url: string;
  applicationName: string;
  /** Destroys the connection, even during a statement. */
  signal?: AbortSignal | undefined;
  /** Called repeatedly while the connection is active (see silent-connections.ts). */
  onActive?: (() => void) | undefined;
}

/**
 * Opens a connection for long statements: there is no time limit while the server works on them.
 * @throws any connection error, also if `signal` aborts the attempt
 */
export async function openConnection({ url, applicationName, signal, onActive }: OpenOptions): Promise<pg.Client> {
  signal?.throwIfAborted();
  const config = { connectionString: url, application_name: applicationName, ...connectionLimits };
  const client = new Client(config);
  // A lost connection already fails its statement.
  client.on('error', () => undefined);
  const stop = () => destroyConnection(client);
  signal?.addEventListener('abort', stop);
  client.once('end', () => signal?.removeEventListener('abort', stop));
  try {
    await client.connect();
    // Also against the defaults of a server that is not ours.
    await client.query(limitStatements('unlimited'));
  } catch (error) {
    await closeConnection(client);
    throw error;
  }
  watchForSilence(client, config, onActive ? { onActive } : {});
  return client;
}
