import pg from 'pg';
import { breakOff, closeConnection, connectionLimits } from './connection';
import { watchForSilence } from './silence';

interface OpenOptions {
  url: string;
  applicationName: string;
  /** Breaks the connection off, whatever it is doing. */
  signal?: AbortSignal | undefined;
  /** Told again and again while the connection is of use (see silence.ts). */
  onActive?: (() => void) | undefined;
}

/**
 * Opens a connection for statements that may take long: there is no limit for one that the server says it is working on.
 *
 * @throws whatever prevents it, also where `signal` ends the attempt
 */
export async function openConnection({ url, applicationName, signal, onActive }: OpenOptions): Promise<pg.Client> {
  signal?.throwIfAborted();
  const config = { connectionString: url, application_name: applicationName, ...connectionLimits };
  const client = new pg.Client(config);
  // A lost connection fails its statement; no one else needs to be told.
  client.on('error', () => undefined);
  const stop = () => breakOff(client);
  signal?.addEventListener('abort', stop);
  client.once('end', () => signal?.removeEventListener('abort', stop));
  try {
    await client.connect();
  } catch (error) {
    await closeConnection(client);
    throw error;
  }
  watchForSilence(client, config, onActive ? { onActive } : {});
  return client;
}
