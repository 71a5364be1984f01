import { expect, test } from '../support/test';

test('the process serves and is ready', async ({ request }) => {
  for (const path of ['/healthz', '/readyz']) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  }
});

test('a fresh key lists the customers of its identity: none', async ({ request, tenant }) => {
  const response = await request.get('/api/v1/identity/customers', { headers: { Authorization: `Bearer ${tenant.key}` } });
  expect(response.status()).toBe(200);
  expect(await response.json()).toMatchObject({ customers: [], count: 0, total: 0 });
});
