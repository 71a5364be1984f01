import pg from 'pg';
import { identityOfReads, onBehalfOfAll, ownerOfRequest } from '../on-behalf-of';
import { Semaphore } from '../semaphore';
import { SharedReads } from './shared-reads';
import type { Statement } from './sql';
import { limitToIdentity } from './tenant';

type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

type Query = (statement: unknown, ...others: unknown[]) => Promise<unknown>;

/** Milliseconds a statement waits for a connection. */
const maxWait = 5_000;

/**
 * A pool whose connections are shared fairly: no identity has more than half of them at a time, and the one with the fewest is
 * next, so that slow reads of one leave room for all others. Work of no identity, such as a command, has no limit of its own.
 */
export class FairPool extends pg.Pool {
  readonly #shares: Semaphore;
  readonly #reads = new SharedReads(() => onBehalfOfAll(() => this.connect()));
  readonly #leave = new WeakMap<pg.PoolClient, () => void>();

  constructor(config: pg.PoolConfig & { max: number }) {
    super(config);
    const { max } = config;
    this.#shares = new Semaphore({ permits: max, permitsPerOwner: Math.max(2, Math.floor(max / 2)), queued: 10_000, maxWait });
    this.on('release', (_error, client) => this.#leave.get(client)?.());
  }

  /** Connections in use, and number of statements that wait for one. */
  load(): { running: number; waiting: number } {
    return this.#shares.load();
  }

  /** Runs a single statement. For a dashboard request, it is limited to rows of the request's identity. */
  override query = ((statement: Statement | string, ...others: unknown[]) => {
    const { withoutRowSecurity = false, isByKey = false } = typeof statement === 'object' ? statement : {};
    const wall = withoutRowSecurity ? '' : limitToIdentity(identityOfReads());
    if (wall) return this.#queryWithin(wall, statement, others[0] as unknown[] | undefined);
    return (isByKey && this.#reads.query(statement as Statement)) || (super.query as Query)(statement, ...others);
  }) as pg.Pool['query'];

  async #queryWithin(wall: string, statement: pg.QueryConfig | string, values: unknown[] | undefined): Promise<unknown> {
    const client = await this.connect();
    let broken: Error | undefined;
    // Sent together, so that they take one round trip. A statement that fails leaves nothing to commit.
    const sent = [client.query(`BEGIN${wall}`), client.query(statement as string, values), client.query('COMMIT')] as const;
    try {
      const [, result] = await Promise.all(sent);
      return result;
    } finally {
      const [, , end] = await Promise.allSettled(sent);
      if (end.status === 'rejected') broken = end.reason as Error;
      client.release(broken);
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    }
    this.#shares.enter(
      { owner: ownerOfRequest() },
      (leave) =>
        super.connect((error, client, done) => {
          if (client) this.#leave.set(client, leave);
          else leave();
          callback(error, client, done);
        }),
      (error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }
}
