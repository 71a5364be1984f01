import { setTimeout } from 'node:timers/promises';
import { openPool, pool } from '@/server/platform/db/pool';
import { transaction } from '@/server/platform/db/transaction';
import { parseEnv } from '@/server/platform/env';
import { JobKind } from '@/server/platform/jobs/job';
import { startJobs, workerLimits } from '@/server/platform/jobs/worker';
import { setForProcess } from '@/server/platform/process-globals';

/**
 * A process that runs the jobs of `effectJob` on the database of its first argument until it is killed: each run is counted, and has an
 * effect that happens once.
 */

const [url = '', beat = ''] = process.argv.slice(2);

setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(32) }));
openPool(url);
workerLimits.beat = Number(beat);

const effect = new JobKind<{ key: string }>('effect').handledBy(async ({ payload: { key } }) => {
  await pool().query('INSERT INTO runs (key) VALUES ($1)', [key]);
  // Something outside, during which it may be killed.
  await setTimeout(10);
  await transaction({ kind: 'system', cause: 'upkeep' }, (client) =>
    client.query('INSERT INTO effects (key) VALUES ($1) ON CONFLICT DO NOTHING', [key]),
  );
});

await startJobs([effect]);
process.stdout.write('started\n');
