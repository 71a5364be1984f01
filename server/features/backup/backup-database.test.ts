import { expect, test } from 'vitest';
import { silenceLimits } from '@/server/platform/db/silent-connections';
import { env, overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { startFreezingProxy } from '@/server/testing/freezing-proxy';
import { openToRead } from './backup-database';
import { unwatched } from './progress';

withFreshDatabase();

test('a connection that dies under a backup ends it, and so does a signal, whatever the statement', async () => {
  Object.assign(silenceLimits, { patience: 1_000, answerTime: 1_000 });
  const proxy = await startFreezingProxy(env().DATABASE_URL ?? '');
  overrideEnv({ DATABASE_URL: proxy.url });
  const stop = new AbortController();
  const told = await openToRead({ ...unwatched, signal: stop.signal });
  const waiting = expect(told.client.query('SELECT pg_sleep(600)')).rejects.toThrow('Connection terminated');
  stop.abort();
  await waiting;
  await told.close();
  const dying = await openToRead(unwatched);
  proxy.freeze();
  await expect(dying.client.query('SELECT 1')).rejects.toThrow('Connection terminated');
  await dying.close();
  await proxy.close();
});
