import pg from 'pg';
import { ownerOfRequest } from '../request-scope';
import { Semaphore } from '../semaphore';

type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** Milliseconds a statement waits for a connection. */
const maxWait = 5_000;

/**
 * A pool whose connections are shared fairly: no identity has more than half of them at a time, and the one with the fewest is
 * next, so that slow reads of one leave room for all others. Work of no identity, such as jobs, has no limit of its own.
 */
export class FairPool extends pg.Pool {
  readonly #shares: Semaphore;
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
