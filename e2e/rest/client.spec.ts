import { contactGuid, createFrontdesk, type Frontdesk, FrontdeskError } from '@/clients/typescript/src/index';
import { test as base, expect } from '../support/api';

/** The TypeScript client against the real product. */
const test = base.extend<{ frontdesk: Frontdesk }>({
  frontdesk: async ({ baseURL, tenant }, use) => use(createFrontdesk({ baseUrl: baseURL ?? '', apiKey: tenant.key })),
});

async function failureOf(call: Promise<unknown>): Promise<FrontdeskError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FrontdeskError)) throw new Error('the server did not refuse', { cause: error });
  return error;
}

const hour = { startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z' };

test('a customer is created with contacts, changed, found by a computed guid, and deleted', async ({ frontdesk, tenant }) => {
  const emails = ['Ann@Quark.io', 'kaethe+1@quark.io'];
  const customer = await frontdesk.customers.create({ company: 'Quark', contacts: emails.map((email) => ({ email })) });
  expect(customer).toMatchObject({ identityId: tenant.identityId, company: 'Quark' });
  expect(customer.contacts.map(({ guid }) => guid)).toEqual(emails.map(contactGuid));
  expect(await frontdesk.customers.byContact({ guid: contactGuid(' ANN@quark.IO') })).toEqual(customer);
  const changed = await frontdesk.customers.update({ ...customer, notes: 'n' });
  expect(changed).toMatchObject({ id: customer.id, company: 'Quark', notes: 'n' });
  const added = await frontdesk.customers.addContact({ id: customer.id, email: 'bob@quark.io' }).withResponse();
  expect([added.response.status, added.data.contacts.length]).toEqual([201, 3]);
  expect((await frontdesk.customers.removeContact({ id: customer.id, guid: contactGuid('bob@quark.io') })).contacts).toHaveLength(
    2,
  );
  expect(await frontdesk.customers.delete({ id: customer.id })).toEqual({ success: true });
  expect(await failureOf(frontdesk.customers.get({ id: customer.id }))).toMatchObject({ status: 404, code: 'not_found' });
});

test('lists are read to their end', async ({ frontdesk, api }) => {
  const made: string[] = [];
  for (let i = 0; i < 5; i++) {
    made.unshift((await frontdesk.customers.create({ tags: ['t'], contacts: [{ email: `c${i}@quark.io` }] })).id);
  }
  const read: string[] = [];
  for await (const { id } of frontdesk.customers.listAll({ tag: 't', limit: 2 })) read.push(id);
  expect(read).toEqual(made);

  const { conversationId, messageId } = await api.receive();
  for await (const message of frontdesk.conversations.messagesAll({ conversationId })) expect(message.id).toBe(messageId);
  for await (const conversation of frontdesk.conversations.listAll()) expect(conversation.id).toBe(conversationId);
  for await (const agent of frontdesk.agents.listAll({ limit: 1 })) expect(agent.email).toContain('@');

  const { data } = await frontdesk.blog.create({ title: 'Wet brakes', content: 'Clean them.', authorName: 'Mara' });
  for await (const post of frontdesk.blog.listAll()) expect(post.id).toBe(data.post.id);
});

test('the calendar is read to its end, series and long events included', async ({ frontdesk }) => {
  const day = (date: number, time: string) => `2026-11-${date}T${time}:00Z`;
  await frontdesk.calendar.create({ title: 'fair', startTime: day(23, '08:00'), endTime: day(29, '20:00') });
  await frontdesk.calendar.create({
    title: 'stand-up',
    startTime: day(23, '09:00'),
    endTime: day(23, '09:15'),
    recurrence: 'daily',
  });
  for (const date of [24, 25, 26]) {
    await frontdesk.calendar.create({ title: `visit ${date}`, startTime: day(date, '10:00'), endTime: day(date, '11:00') });
  }
  const range = { startDate: '2026-11-24', endDate: '2026-11-27' };
  const whole = await frontdesk.calendar.list({ ...range, expand: true });
  expect(whole.events.map(({ title }) => title)).toEqual([
    'fair',
    ...[24, 25, 26].flatMap((date) => ['stand-up', `visit ${date}`]),
  ]);
  for (const [limit, expand] of [
    [2, true],
    [3, true],
    [2, false],
    [4, false],
  ] as const) {
    const { events } = await frontdesk.calendar.list({ ...range, expand });
    const read: unknown[] = [];
    for await (const event of frontdesk.calendar.listAll({ ...range, expand, limit })) read.push(event);
    expect([limit, expand, read]).toEqual([limit, expand, events]);
  }
});

test('each part of the API refuses in its own words, and the client reads them alike', async ({ frontdesk, baseURL }) => {
  const fields = await failureOf(frontdesk.customers.create({ contacts: [{ email: 'nobody' }] }));
  expect(fields).toMatchObject({ status: 400, code: 'invalid_request', title: 'Invalid request' });
  expect(Object.keys(fields.fields)).toEqual(['contacts.0.email']);
  expect(fields.requestId).toBe(fields.response.headers.get('x-request-id'));

  const owner = await frontdesk.customers.create({ contacts: [{ email: 'ann@quark.io' }] });
  const taken = await failureOf(frontdesk.customers.create({ contacts: [{ email: 'ann@quark.io' }] }));
  expect(taken).toMatchObject({ status: 409, code: 'contact_conflict', details: { customerId: owner.id } });

  const calendar = await failureOf(frontdesk.calendar.create({ title: 't', startTime: hour.endTime, endTime: hour.startTime }));
  expect(calendar).toMatchObject({ status: 400, message: 'End time must be after start time' });
  const blog = await failureOf(frontdesk.blog.get({ postId: 'nonsense' }));
  expect(blog).toMatchObject({ status: 400, title: 'ValidationError', message: 'Invalid postId format. Must be a valid UUID.' });

  const intruder = createFrontdesk({ baseUrl: baseURL ?? '', apiKey: 'sk_live_nonsense' });
  expect(await failureOf(intruder.identity.get())).toMatchObject({ status: 401, code: 'invalid_key' });
});

test('files, merge patches and the rate limit arrive as they are', async ({ frontdesk, api, createTenant, baseURL }) => {
  const { attachmentId } = await api.receiveAttachment();
  const file = await frontdesk.conversations.attachment({ attachmentId });
  expect(file).toMatchObject({ contentType: 'application/pdf', filename: 'plan.pdf' });
  expect(file.bytes.length).toBeGreaterThan(0);

  await frontdesk.identity.update({ profile: { tagline: 'a', about: 'b' } });
  const merged = await frontdesk.identity.update({ profile: { tagline: null } }, { mergePatch: true });
  expect(merged.profile).toMatchObject({ about: 'b' });
  expect(merged.profile?.tagline ?? null).toBeNull();

  const { key } = await createTenant({ plan: 'free' });
  const { response } = await createFrontdesk({ baseUrl: baseURL ?? '', apiKey: key })
    .usage.stats()
    .withResponse();
  expect(response.rateLimit?.remaining).toBe((response.rateLimit?.limit ?? 0) - 1);
  expect(response.rateLimit?.resetAt.toISOString()).toMatch(/T00:00:00\.000Z$/);
});

test('a write under one key is carried out once', async ({ frontdesk }) => {
  const input = { contacts: [{ email: 'ann@quark.io' }] };
  const options = { idempotencyKey: 'customer-of-order-4711' };
  const first = await frontdesk.customers.create(input, options).withResponse();
  const again = await frontdesk.customers.create(input, options).withResponse();
  expect(again.data).toEqual(first.data);
  expect([first.response.replayed, again.response.replayed, again.response.status]).toEqual([false, true, 201]);
  expect((await frontdesk.customers.list()).total).toBe(1);
  const other = await failureOf(frontdesk.customers.create({ contacts: [{ email: 'bob@quark.io' }] }, options));
  expect(other.status).toBe(422);
});

test('the same write from several places at once waits for the first', async ({ frontdesk }) => {
  const input = { contacts: [{ email: 'ann@quark.io' }] };
  const made = await Promise.all([1, 2, 3].map(() => frontdesk.customers.create(input, { idempotencyKey: 'one' })));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect((await frontdesk.customers.list()).total).toBe(1);
});

test('a change on what somebody else has changed meanwhile is refused, and an unchanged resource is not sent again', async ({
  frontdesk,
}) => {
  const { id } = await frontdesk.customers.create({ contacts: [{ email: 'ann@quark.io' }] });
  const { response: read } = await frontdesk.customers.get({ id }).withResponse();
  expect(read.etag).toBeTruthy();
  expect(await frontdesk.customers.get({ id }, { ifNoneMatch: read.etag })).toBeNull();
  await frontdesk.customers.update({ id, notes: 'theirs' }, { ifMatch: read.etag });
  expect(await failureOf(frontdesk.customers.update({ id, notes: 'mine' }, { ifMatch: read.etag }))).toMatchObject({
    status: 412,
  });
  expect(await frontdesk.customers.get({ id }, { ifNoneMatch: read.etag })).toMatchObject({ notes: 'theirs' });
});
