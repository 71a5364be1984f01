import type pg from 'pg';
import { toAppError } from '../errors';
import { logFailure } from '../outage-log';

/** The statements by which the queue notes how a job ended, and looks for the next. */
const [notesEnd, looksForJob] = [/^(complete|fail)_jobs?(_q)?\//, /^get_job/];

type Query = (statement: pg.QueryConfig) => Promise<unknown>;

/** A connection that asks `query`. That a job's end can't be noted is only logged, and so is an outage where a job is looked for: there is none. */
function forgiving(query: Query, release: () => void): pg.PoolClient {
  const ask: Query = async (statement) => {
    const { name = '' } = statement;
    try {
      return await query(statement);
    } catch (error) {
      const isEnd = notesEnd.test(name);
      if (!isEnd && !(looksForJob.test(name) && toAppError(error).code === 'unavailable')) throw error;
      logFailure(error, {}, isEnd ? 'the end of a job could not be noted' : 'jobs could not be looked for');
      return { rows: [], rowCount: 0 };
    }
  };
  return { query: ask, release } as unknown as pg.PoolClient;
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    const client = await pool.connect();
    return forgiving(
      (...statement) => client.query(...statement),
      () => client.release(),
    );
  } catch (error) {
    return forgiving(
      () => Promise.reject(error),
      () => undefined,
    );
  }
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/**
 * The pool as the job queue uses it. The queue does not wait for the statement that notes the end of a job, so while the database is away its
 * failure would be no one's (an unhandled rejection); such jobs are found and begun again (lost-jobs.ts). And a worker that stops takes a look
 * for a job that fails then as a fault, with a stack trace on the console.
 */
export function queuePool(pool: pg.Pool): pg.Pool {
  const connectEither = (callback?: ConnectCallback) => (callback ? pool.connect(callback) : connect(pool));
  return new Proxy(pool, { get: (target, name) => (name === 'connect' ? connectEither : Reflect.get(target, name)) });
}
