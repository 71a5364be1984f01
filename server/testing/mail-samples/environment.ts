import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, inject } from 'vitest';
import { parseEnv } from '@/server/platform/env';
import { setForProcess } from '@/server/platform/process-globals';
import { discardReceived } from './message';

/** Gives the calling test file a separate content store, and nothing else. */
export function withContentStore(): void {
  beforeAll(async () => {
    const settings = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: 'postgres://nobody@localhost/none',
      DATA_DIR: await mkdtemp(path.join(inject('testDirectory'), 'data-')),
      AUTH_SECRET: 'x'.repeat(32),
    };
    setForProcess('env', parseEnv(settings));
  });

  afterEach(discardReceived);
}
