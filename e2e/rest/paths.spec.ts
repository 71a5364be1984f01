import { expect, test } from '../support/api';

test('a path nobody serves is a JSON 404, with a key and without', async ({ api }) => {
  for (const path of [
    '',
    '/',
    '/nothing',
    '/identity/',
    '/identity/nothing',
    '/identity/customers/',
    '/Identity',
    '/identity/customers//contacts',
    '/calendarx',
  ]) {
    for (const key of [undefined, null]) {
      const { status, body } = await api.get(path, { key });
      expect([path, status, body.code]).toEqual([path, 404, 'not_found']);
      expect(body.error).toBe('Not found');
    }
  }
});

test('areas have their own words for it', async ({ api }) => {
  expect(await api.get('/blog/nothing')).toMatchObject({ status: 404, body: { error: 'NotFound', message: expect.any(String) } });
  expect(await api.get('/calendar/nothing')).toMatchObject({ status: 404, body: { success: false, error: expect.any(String) } });
});

test('a method that a path does not have is 405, and Allow names those it has', async ({ api, contract }) => {
  for (const { path } of contract.operations) {
    const own = contract.operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const allowed = new Set([...own, 'OPTIONS', ...(own.includes('GET') ? ['HEAD'] : [])]);
    const concrete = path.replace(/\{[^}]*\}/g, '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allowed.has(method)) continue;
      const { status, headers, body } = await api.call(method, concrete);
      expect([method, path, status]).toEqual([method, path, 405]);
      expect(new Set(headers.allow?.split(', '))).toEqual(allowed);
      const ofBlog = path.startsWith('/blog/') ? 'MethodNotAllowed' : 'Method not allowed';
      const error = path.startsWith('/calendar/') ? expect.any(String) : ofBlog;
      expect(body).toMatchObject({ error, code: 'method_not_allowed' });
    }
    const options = await api.call('OPTIONS', concrete, { key: null });
    expect([options.status, new Set(options.headers.allow?.split(', '))]).toEqual([204, allowed]);
  }
});

test('HEAD answers as GET does, without the body', async ({ api }) => {
  const get = await api.get('/identity/customers');
  const head = await api.call('HEAD', '/identity/customers');
  expect([head.status, head.body, head.headers['content-length']]).toEqual([200, undefined, get.headers['content-length']]);
  expect((await api.call('HEAD', '/identity', { key: null })).status).toBe(401);
});

test('a percent sign that encodes nothing is refused', async ({ api }) => {
  for (const path of [
    '/identity/customers/%',
    '/identity/customers/%zz',
    '/identity/customers/%ff',
    '/%E0%A4',
    '/identity/customers/%ED%A0%80',
  ]) {
    const { status, body } = await api.get(path);
    expect([path, status, body.code]).toEqual([path, 400, 'invalid_request']);
  }
  expect(await api.get('/calendar/%zz')).toMatchObject({ status: 400, body: { success: false, error: expect.any(String) } });
  expect(await api.get('/blog/%zz')).toMatchObject({
    status: 400,
    body: { error: 'ValidationError', message: expect.any(String) },
  });
  expect((await api.get('/identity/customers?query=%')).status).toBeLessThan(500);
  expect((await api.get('/identity/customers?query=%ff&tag=%zz')).status).toBeLessThan(500);
});

test('what is encoded is decoded, once', async ({ api }) => {
  const { id } = await api.createCustomer();
  expect((await api.get(`/identity/customers/${id.replaceAll('-', '%2d')}`)).body.id).toBe(id);
  expect((await api.get(`/identity/customers/${id.replaceAll('-', '%252d')}`)).status).toBe(400);
});

test('NUL in a path or in a query that is read is refused', async ({ api }) => {
  for (const path of [
    '/identity/customers/%00',
    '/identity/customers?query=a%00b',
    '/identity/customers?tag=%00',
    '/identity/customers?email=%00',
    '/identity/customers?limit=%00',
  ]) {
    const { status, body } = await api.get(path);
    expect([path, status, body.code]).toEqual([path, 400, 'invalid_request']);
  }
});

test('answers can not be kept, framed, sniffed or traced to a program', async ({ api }) => {
  for (const { headers } of [await api.get('/identity'), await api.get('/nothing'), await api.get('/identity', { key: null })]) {
    expect(headers).toMatchObject({
      // A single resource may be kept by who asked, to ask with its ETag whether it is still the same.
      'cache-control': headers.etag ? 'private, no-cache' : 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('set-cookie');
  }
});
