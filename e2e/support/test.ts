import type { CreateIdentityInput } from '@/server/features/accounts/account.schema';
import { findEmbeddedPostgres } from '@/server/platform/db/embedded-postgres';
import { closePool, openPool } from '@/server/platform/db/pool';
import { closePrisma } from '@/server/platform/db/prisma';
import { parseEnv } from '@/server/platform/env';
import { setForProcess } from '@/server/platform/process-globals';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { test as base } from './base-test';
import { dataDirVariable } from './installation';

/** An identity for one test, with its owner's login and an API key. */
export type Tenant = Pick<TestIdentity, 'identityId' | 'handle' | 'owner' | 'key'>;

type CreateTenant = (changes?: Partial<CreateIdentityInput>) => Promise<Tenant>;

interface TestFixtures {
  tenant: Tenant;
}

interface WorkerFixtures {
  /** A further tenant, optionally with other properties: `createTenant({ plan: 'free' })`. */
  createTenant: CreateTenant;
}

/** The database of the installation under test, for a second server on it. */
export async function databaseUnderTest(): Promise<string> {
  const dataDir = process.env[dataDirVariable] ?? '';
  const databaseUrl = await findEmbeddedPostgres(dataDir);
  if (!databaseUrl) throw new Error(`There is no installation in ${dataDir}.`);
  return databaseUrl;
}

/**
 * `test` with a new tenant for each test that asks for one. Tenants are created through the services, because the
 * command line takes over a second for each; everything else in these tests comes from outside.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  createTenant: [
    async ({}, use) => {
      const dataDir = process.env[dataDirVariable] ?? '';
      const databaseUrl = await databaseUnderTest();
      setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: dataDir, DATABASE_POOL_SIZE: '5' }));
      openPool(databaseUrl);
      await use(createTestIdentity);
      await closePrisma();
      await closePool();
    },
    { scope: 'worker' },
  ],
  tenant: async ({ createTenant }, use) => use(await createTenant()),
});

export { expect } from './base-test';
