import type pg from 'pg';
import { holdBack } from './connection';

/** Reads on the connection at a time. */
const mostReads = 32;

/** Milliseconds without an answer from which on no more reads wait for it. */
const stalledFrom = 20;

interface Shared {
  client: Promise<pg.PoolClient>;
  reads: number;
  /** When the last answer came, or the first read was sent, by `performance.now()`. */
  movedAt: number;
  /** True if what is sent in this turn of the event loop is held back until its end. */
  isHolding: boolean;
  /** Gives the connection back, or with an error, away. */
  release(error?: Error): void;
}

/**
 * A connection that reads of all requests share: each is sent without waiting for the answers to those before it, and under load many
 * of them travel in one packet. It is one of the pool's, taken while there are reads (docs/adr/0037).
 */
export class SharedReads {
  readonly #connect: () => Promise<pg.PoolClient>;
  #shared: Shared | null = null;

  constructor(connect: () => Promise<pg.PoolClient>) {
    this.#connect = connect;
  }

  /** @returns the result; undefined, without running it, if the statement would wait for too many others or for a slow one */
  query(statement: pg.QueryConfig): Promise<pg.QueryResult> | undefined {
    this.#shared ??= this.#open();
    const { reads, movedAt } = this.#shared;
    if (reads === mostReads || (reads > 0 && performance.now() - movedAt > stalledFrom)) return undefined;
    return this.#read(this.#shared, statement);
  }

  async #read(shared: Shared, statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (shared.reads === 0) shared.movedAt = performance.now();
    shared.reads++;
    try {
      const client = await shared.client;
      hold(shared, client);
      return await client.query(statement);
    } catch (error) {
      if (endsConnection(error)) this.#close(shared, error as Error);
      throw error;
    } finally {
      shared.reads--;
      shared.movedAt = performance.now();
      if (shared.reads === 0) setImmediate(() => shared.reads === 0 && this.#close(shared));
    }
  }

  #open(): Shared {
    const client = this.#connect();
    const shared: Shared = { client, reads: 0, movedAt: 0, isHolding: false, release: () => undefined };
    const close = (error?: Error) => this.#close(shared, error);
    client.then((connected) => {
      connected.once('error', close).once('end', close);
      shared.release = (error) => {
        connected.off('error', close).off('end', close);
        connected.release(error);
      };
    }, close);
    return shared;
  }

  /** The next read takes another connection. */
  #close(shared: Shared, error?: Error): void {
    if (this.#shared !== shared) return;
    this.#shared = null;
    shared.release(error);
  }
}

/** Whether the server has closed the connection with this error, which the socket may not know yet (classes 57P and 08). */
function endsConnection(error: unknown): boolean {
  return /^(?:57P|08)/.test((error as { code?: string }).code ?? '');
}

/** Lets the reads of one turn of the event loop, which are of several requests, leave together. */
function hold(shared: Shared, client: pg.PoolClient): void {
  if (shared.isHolding) return;
  shared.isHolding = true;
  const send = holdBack(client);
  setImmediate(() => {
    shared.isHolding = false;
    send();
  });
}
