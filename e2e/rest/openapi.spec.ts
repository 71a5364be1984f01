import { expect, test } from '../support/api';

test('the document is served to anybody, as OpenAPI 3.1 JSON', async ({ request, baseURL }) => {
  const response = await request.get('/api/v1/openapi.json');
  expect(response.status()).toBe(200);
  expect(response.headers()['content-type']).toBe('application/json; charset=utf-8');
  expect(response.headers()['x-request-id']).toBeTruthy();
  const document = await response.json();
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { title: expect.any(String), version: expect.any(String) },
  });
  expect(document.servers).toEqual([{ url: `${baseURL}/api/v1` }]);
  expect((await request.head('/api/v1/openapi.json')).status()).toBe(200);
});

test('it has the operations of the specification, with their true statuses', async ({ contract }) => {
  const success = Object.fromEntries(
    contract.operations.map(({ method, path, responses }) => [
      `${method} ${path}`,
      Object.keys(responses)
        .filter((status) => status < '300')
        .join(),
    ]),
  );
  expect(success).toMatchObject({
    'GET /identity': '200',
    'PATCH /identity': '200',
    'GET /identity/customers': '200',
    'GET /identity/customers/{id}': '200',
    'GET /identity/customers/by-contact/{guid}': '200',
    'POST /identity/customers': '201',
    'PATCH /identity/customers/{id}': '200',
    'DELETE /identity/customers/{id}': '200',
    'POST /identity/customers/{id}/contacts': '200,201',
    'DELETE /identity/customers/{id}/contacts/{guid}': '200',
    'POST /blog/posts': '201',
    'GET /blog/posts': '200',
    'GET /blog/posts/{postId}': '200',
    'PATCH /blog/posts/{postId}': '200',
    'POST /blog/posts/{postId}/publish': '200',
    'POST /blog/posts/{postId}/unpublish': '200',
    'DELETE /blog/posts/{postId}': '200',
    'POST /calendar/events': '201',
    'GET /calendar/events': '200',
    'GET /calendar/events/{eventId}': '200',
    'PATCH /calendar/events/{eventId}': '200',
    'DELETE /calendar/events/{eventId}': '200',
    'POST /calendar/events/{eventId}/rsvp': '200',
    'GET /calendar/availability': '200',
  });
});

test('every operation of it is served, and needs a key', async ({ api, contract }) => {
  for (const { method, path } of contract.operations) {
    const { status, headers, body } = await api.call(method, path.replace(/\{[^}]*\}/g, 'unknown'), { key: null });
    expect([method, path, status, headers['www-authenticate']]).toEqual([method, path, 401, 'Bearer']);
    expect(body).toMatchObject({ error: 'Unauthorized', message: 'Invalid or expired API key', code: 'missing_key' });
  }
});

test('it can be read by nobody else’s method', async ({ request }) => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const response = await request.fetch('/api/v1/openapi.json', { method });
    expect(response.status()).toBeGreaterThanOrEqual(400);
    expect(response.status()).toBeLessThan(500);
  }
});
