import { randomBytes } from 'node:crypto';
import { acceptedFor } from '../support/accepted-for';
import { operator } from '../support/operator';
import { expect, test } from '../support/test';

test('the command line makes an identity and a key that works until it is revoked', async ({ request }) => {
  const handle = `cli-${randomBytes(6).toString('hex')}`;
  const owner = ['--owner-email', `owner@${handle}.example`, '--owner-password', 'correct horse battery'];
  const identity = await operator('identity', 'create', '--handle', handle, ...owner, '--display-name', 'Quark Labs');
  expect(identity).toEqual({ identityId: expect.any(String), handle, ownerUserId: expect.any(String) });

  const { id = '', key } = await operator('key', 'create', '--identity', handle, '--name', 'Importer');
  const read = () => request.get('/api/v1/identity', { headers: { Authorization: `Bearer ${key}` } });
  expect(await (await read()).json()).toMatchObject({ handle, displayName: 'Quark Labs' });

  expect(await operator('key', 'revoke', '--id', id)).toEqual({ id, revokedAt: expect.any(String) });
  expect(await acceptedFor(async () => (await read()).status() === 200)).toBeLessThan(1_000);
  expect((await read()).status()).toBe(401);
});
