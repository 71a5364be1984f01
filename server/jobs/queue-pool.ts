import type pg from 'pg';
import { logFailure } from '../outage-log';

/** The statements by which the queue notes how a job ended. */
const notesEnd = /^(complete|fail)_jobs?(_q)?\//;

type Query = (statement: pg.QueryConfig) => Promise<unknown>;

/** A connection that asks `query`, except that a job's end which can't be noted is only logged. */
function noting(query: Query, release: () => void): pg.PoolClient {
  const ask: Query = async (statement) => {
    try {
      return await query(statement);
    } catch (error) {
      if (!notesEnd.test(statement.name ?? '')) throw error;
      logFailure(error, {}, 'the end of a job could not be noted');
      return { rows: [], rowCount: 0 };
    }
  };
  return { query: ask, release } as unknown as pg.PoolClient;
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    const client = await pool.connect();
    return noting(
      (...statement) => client.query(...statement),
      () => client.release(),
    );
  } catch (error) {
    return noting(
      () => Promise.reject(error),
      () => undefined,
    );
  }
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/**
 * The pool as the job queue uses it. The queue does not wait for the statement that notes the end of a job, so while the database is away its
 * failure would be nobody's (an unhandled rejection). Such jobs are found and begun again (lost-jobs.ts).
 */
export function queuePool(pool: pg.Pool): pg.Pool {
  const connectEither = (callback?: ConnectCallback) => (callback ? pool.connect(callback) : connect(pool));
  return new Proxy(pool, { get: (target, name) => (name === 'connect' ? connectEither : Reflect.get(target, name)) });
}
