import type pg from 'pg';
import { toAppError } from '../errors';
import { logFailure } from '../outage-log';

/** The queue's statements that record a job's end, and fetch the next job. */
const [recordsEnd, fetchesJob] = [/^(complete|fail)_jobs?(_q)?\//, /^get_job/];

type Query = (statement: pg.QueryConfig) => Promise<unknown>;

/**
 * A connection for `query`. Failures to record a job's end are only logged; an outage while fetching a job counts as no job.
 */
function tolerantConnection(query: Query, release: () => void): pg.PoolClient {
  const run: Query = async (statement) => {
    const { name = '' } = statement;
    try {
      return await query(statement);
    } catch (error) {
      const isEnd = recordsEnd.test(name);
      if (!isEnd && !(fetchesJob.test(name) && toAppError(error).code === 'unavailable')) throw error;
      logFailure(error, {}, isEnd ? 'the end of a job could not be noted' : 'jobs could not be looked for');
      return { rows: [], rowCount: 0 };
    }
  };
  return { query: run, release } as unknown as pg.PoolClient;
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    const client = await pool.connect();
    return tolerantConnection(
      (...statement) => client.query(...statement),
      () => client.release(),
    );
  } catch (error) {
    return tolerantConnection(
      () => Promise.reject(error),
      () => undefined,
    );
  }
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/**
 * The pool as the job queue uses it. The queue does not await the statement that records a job's end, so its failure during an
 * outage would be an unhandled rejection; such jobs are found and run again (lost-jobs.ts). And a stopping worker would report
 * a failed fetch as a fault, with a stack trace on the console.
 */
export function queuePool(pool: pg.Pool): pg.Pool {
  const connectEither = (callback?: ConnectCallback) => (callback ? pool.connect(callback) : connect(pool));
  // The queue warns of more slots than connections. Slots that wait for other systems hold none, so that is as it should be.
  const options = { ...pool.options, max: Number.MAX_SAFE_INTEGER };
  const own: Partial<Record<string | symbol, unknown>> = { connect: connectEither, options };
  return new Proxy(pool, { get: (target, name) => own[name] ?? Reflect.get(target, name) });
}
