import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { pool } from './pool';

withFreshDatabase({ DATABASE_POOL_SIZE: '5' });
const call = withHttpServer();

test('changes of one record wait for each other with few connections, also conditional ones', async () => {
  const { key } = await createTestIdentity();
  const json = { contacts: [{ email: 'ann@x.io' }] };
  const { body } = await call('POST', '/api/v1/identity/customers', { key, json });
  const path = `/api/v1/identity/customers/${(body as { id: string }).id}`;
  const change = (n: number) =>
    call('PATCH', path, { key, json: { notes: `n ${n}` }, headers: n % 2 === 0 ? { 'if-match': '*' } : {} });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => change(n)));
  // Else those that wait for a connection for five seconds would be refused.
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(pool().load().waiting).toBe(0);
});
