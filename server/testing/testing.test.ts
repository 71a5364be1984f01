import { expect, test } from 'vitest';
import { getAccount } from '@/server/features/accounts/account.service';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import { withFreshDatabase } from './database';
import { createTestIdentity } from './identity';
import { createDatabase } from './postgres';

withFreshDatabase({ RATE_LIMIT_BURST_PER_SECOND: '7' });

test('a file has a migrated database and settings of its own', async () => {
  const { actor, owner, handle } = await createTestIdentity();
  const account = await getAccount(actor);
  expect(account.user.email).toBe(owner.email);
  expect(account.identities.map((identity) => identity.handle)).toEqual([handle]);
  const [row] = await rows<{ name: string }>(pool(), { text: 'SELECT current_database() AS name', values: [] });
  expect(row?.name).toMatch(/^test_[0-9a-f]{16}$/);
  expect(env()).toMatchObject({ NODE_ENV: 'test', RATE_LIMIT_BURST_PER_SECOND: 7 });
});

test('a database elsewhere is refused', async () => {
  await expect(createDatabase('postgres://somebody@db.example.com/frontdesk')).rejects.toThrow('not local');
});
