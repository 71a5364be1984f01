import { expect, test } from 'vitest';
import { FrontdeskConnectionError, FrontdeskError } from '../src/index.js';
import { start } from './local-server.js';

const headers = {
  etag: '"7"',
  'x-request-id': 'r1',
  'x-ratelimit-limit': '1000',
  'x-ratelimit-remaining': '999',
  'x-ratelimit-reset': '1795392000',
};

async function failureOf(call: Promise<unknown>): Promise<FrontdeskError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FrontdeskError)) throw new Error('no FrontdeskError', { cause: error });
  return error;
}

test('withResponse gives the data and what came with it', async () => {
  const { frontdesk } = await start([
    { body: { company: 'Quark' }, headers },
    { status: 201, headers: { 'idempotent-replayed': 'true' } },
  ]);
  const { data, response } = await frontdesk.customers.get({ id: '1' }).withResponse();
  expect(data.company).toBe('Quark');
  expect(response).toMatchObject({
    status: 200,
    etag: '"7"',
    requestId: 'r1',
    rateLimit: { limit: 1000, remaining: 999, resetAt: new Date('2026-11-23T00:00:00Z') },
    replayed: false,
  });
  const created = await frontdesk.blog.create({ title: 't', content: 'c', authorName: 'a' }).withResponse();
  expect(created.response).toMatchObject({ status: 201, etag: null, rateLimit: null, replayed: true });
});

test('conditions are sent; 304 is null', async () => {
  const { frontdesk, received } = await start([{ status: 304, headers }, { body: {} }, {}]);
  expect(await frontdesk.customers.get({ id: '1' }, { ifNoneMatch: '"7"' })).toBeNull();
  expect(await frontdesk.customers.get({ id: '1' }, { ifNoneMatch: null })).toEqual({});
  await frontdesk.customers.update({ id: '1', notes: 'n' }, { ifMatch: '"7"' });
  expect(received.map(({ headers: sent }) => [sent['if-none-match'], sent['if-match']])).toEqual([
    ['"7"', undefined],
    [undefined, undefined],
    [undefined, '"7"'],
  ]);
});

test('a file comes as bytes with its name', async () => {
  const bytes = Buffer.from([0, 255, 128, 10]);
  const disposition = `attachment; filename="pl_n.pdf"; filename*=UTF-8''pl%C3%A4n.pdf`;
  const { frontdesk } = await start([
    { body: bytes, headers: { 'content-type': 'application/pdf', 'content-disposition': disposition } },
    {
      body: bytes,
      headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="a.txt"; filename*=UTF-8\'\'%ff' },
    },
    { status: 404, body: { error: 'Not found', message: 'm', code: 'not_found' } },
  ]);
  const file = await frontdesk.conversations.attachment({ attachmentId: 'a' });
  expect([Buffer.from(file.bytes), file.contentType, file.filename]).toEqual([bytes, 'application/pdf', 'plän.pdf']);
  expect((await frontdesk.conversations.attachment({ attachmentId: 'a' })).filename).toBe('a.txt');
  expect(await failureOf(frontdesk.conversations.attachment({ attachmentId: 'b' }))).toMatchObject({ code: 'not_found' });
});

test('errors of every area read the same', async () => {
  const fields = { 'contacts.0.email': 'must be an e-mail address' };
  const { frontdesk } = await start([
    {
      status: 400,
      body: { error: 'Invalid request', message: 'why', code: 'invalid_request', requestId: 'r', details: { fields } },
    },
    {
      status: 400,
      body: { success: false, error: 'End time must be after start time', code: 'invalid_request', requestId: 'r' },
    },
    { status: 409, body: { error: 'Conflict', message: 'taken', code: 'slug_taken', requestId: 'r' } },
    { status: 412, headers, body: { error: 'Changed', message: 'changed', code: 'edited_elsewhere' } },
  ]);
  const general = await failureOf(frontdesk.customers.create({ contacts: [] }));
  expect(general).toMatchObject({
    status: 400,
    code: 'invalid_request',
    title: 'Invalid request',
    message: 'why',
    requestId: 'r',
    fields,
  });
  const time = '2026-11-24T09:00:00Z';
  const calendar = await failureOf(frontdesk.calendar.create({ title: 't', startTime: time, endTime: time }));
  expect(calendar).toMatchObject({ status: 400, message: 'End time must be after start time', fields: {}, details: {} });
  const blog = await failureOf(frontdesk.blog.create({ title: 't', content: 'c', authorName: 'a', slug: 's' }));
  expect(blog).toMatchObject({ status: 409, code: 'slug_taken', title: 'Conflict', message: 'taken' });
  const stale = await failureOf(frontdesk.customers.update({ id: '1' }, { ifMatch: '"6"' }));
  expect(stale).toMatchObject({ status: 412, requestId: 'r1', response: { etag: '"7"' } });
});

test('what something before the server answers is an error as well', async () => {
  const { frontdesk } = await start([
    { status: 500, body: '<h1>Oops</h1>', headers: { 'content-type': 'text/html' } },
    { status: 200, body: '<h1>Welcome to our Wi-Fi</h1>' },
    { status: 301, headers: { location: 'https://desk.example/api/v1/usage/stats' } },
    { status: 404, body: 'null' },
  ]);
  expect(await failureOf(frontdesk.usage.stats())).toMatchObject({ status: 500, code: 'http_500', message: 'HTTP 500' });
  expect(await failureOf(frontdesk.usage.stats())).toMatchObject({ status: 200, code: 'unreadable_answer' });
  const redirected = await failureOf(frontdesk.usage.stats());
  expect(redirected).toMatchObject({ status: 301, code: 'redirected', message: expect.stringContaining('https://desk.example') });
  expect(await failureOf(frontdesk.usage.stats())).toMatchObject({ status: 404, code: 'http_404' });
});

test('no answer is a connection error that keeps its cause', async () => {
  const { frontdesk } = await start([{ fault: 'drop' }, { fault: 'cut' }], { maximumRetries: 0 });
  for (const _ of ['drop', 'cut']) {
    const error = await frontdesk.usage.stats().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FrontdeskConnectionError);
    expect(error).toMatchObject({ timedOut: false, cause: expect.any(Error) });
  }
});

test('a failure that is heard of through withResponse is not unhandled elsewhere', async () => {
  const { frontdesk } = await start([{ status: 404, body: {} }]);
  await expect(frontdesk.usage.stats().withResponse()).rejects.toMatchObject({ status: 404 });
});
