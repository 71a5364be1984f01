import { type Api, type DocumentedOperation, expect, test } from '../support/api';

/**
 * What holds for every documented operation of the installation under test. Walks its OpenAPI document, so that an operation added
 * later is covered as soon as it is served.
 */

/** 16 pixels square, the smallest that is taken; a PNG in base64. */
const smallPicture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAAA1BMVEUAiHeaQcsGAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADklEQVQYlWNgGAUMSAAAARAAAVGhZwQAAAAASUVORK5CYII=';

/** A body that each operation would take; named by what a test must not meet: a refusal of the body itself. */
const bodies: Record<string, object> = {
  'PATCH /identity': { displayName: 'Changed' },
  'POST /identity/customers': { contacts: [{ email: 'new@quark.io' }] },
  'PATCH /identity/customers/{id}': { company: 'Changed' },
  'POST /identity/customers/{id}/contacts': { email: 'new@quark.io' },
  'PATCH /identity/agents/{agentId}': { name: 'Changed' },
  'PATCH /identity/agents/{agentId}/hitl': { routes: [{ level: 1 }] },
  'PATCH /conversations/{conversationId}': { isSpam: true },
  'POST /conversations/delete': { senderEmail: 'nobody@quark.example' },
  'POST /conversations/{conversationId}/messages': { text: 'Hello' },
  'POST /conversations/{conversationId}/notes': { text: 'Hello' },
  'POST /blog/posts': { title: 'New', content: 'Text', authorName: 'Ann' },
  'PATCH /blog/posts/{postId}': { title: 'Changed' },
  'POST /blog/images': { content: smallPicture },
  'PATCH /blog/settings': { language: 'de' },
  'POST /calendar/events': { title: 'New', startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z' },
  'PATCH /calendar/events/{eventId}': { title: 'Changed' },
  'POST /calendar/events/{eventId}/rsvp': { response: 'accepted' },
  'POST /usage/track': { type: 'token_usage', totalTokens: 1 },
  // An address, so that no name has to be resolved; nothing is sent there.
  'POST /webhooks': { url: 'https://8.8.8.8/hook', events: ['customer.*'] },
  'PATCH /webhooks/{webhookId}': { description: 'Changed' },
  'POST /webhooks/{webhookId}/test': { type: 'customer.created' },
  'POST /webhooks/{webhookId}/recover': { since: new Date(Date.now() - 3_600_000).toISOString(), only: 'failed' },
  'POST /usage/track/batch': { records: [{ type: 'token_usage', totalTokens: 1 }] },
};

/** What an operation needs in its query. */
const queries: Record<string, string> = {
  'GET /email/thread': '&conversationId=0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  'GET /calendar/availability': '&startTime=2026-11-24T09:00:00Z&endTime=2026-11-24T10:00:00Z',
};

const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const unknownIds = {
  id: unknownId,
  guid: '53ec99fd-3ebc-50ed-a4e2-ea9fc9da7adb',
  agentId: unknownId,
  conversationId: unknownId,
  messageId: unknownId,
  attachmentId: unknownId,
  postId: unknownId,
  eventId: unknownId,
  webhookId: unknownId,
  deliveryId: unknownId,
};

function nameOf({ method, path }: DocumentedOperation): string {
  return `${method} ${path}`;
}

function bodyOf(operation: DocumentedOperation): object | undefined {
  if (!operation.requestBody) return undefined;
  const body = bodies[nameOf(operation)];
  if (!body) throw new Error(`${nameOf(operation)}: give it an example in bodies.`);
  return body;
}

function fill(path: string, values: Record<string, string>): string {
  return path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path}: there is no value for ${name}.`);
    return value;
  });
}

/** How each area says that there is no such thing. */
function notFoundAt(path: string): object {
  if (path.startsWith('/calendar/')) return { success: false, error: 'Event not found' };
  if (path.startsWith('/blog/')) return { error: 'NotFound', message: 'Blog post not found' };
  return { error: 'Not found', message: 'Resource not found or access denied' };
}

async function resourcesOf(api: Api): Promise<Record<string, string>> {
  const customer = await api.createCustomer({ contacts: [{ email: 'ann@quark.io' }, { email: 'bob@quark.io' }] });
  const { conversationId, messageId, attachmentId } = await api.receiveAttachment();
  const agentId = (await api.firstAgent()).id;
  const postId = (await api.createPost()).id;
  const eventId = (await api.createEvent({ invitees: [{ email: 'ann@quark.io' }] })).id;
  const webhookId = (await api.post('/webhooks', bodies['POST /webhooks'])).body.id;
  const test = await api.post(`/webhooks/${webhookId}/test`, bodies['POST /webhooks/{webhookId}/test']);
  return {
    ...{ id: customer.id, guid: customer.contacts[0]?.guid ?? '', agentId, conversationId, messageId, attachmentId },
    ...{ postId, eventId, webhookId, deliveryId: test.body.id },
  };
}

test('needs a key', async ({ api }) => {
  for (const operation of api.contract.operations) {
    const path = fill(operation.path, unknownIds);
    const { status, headers, body } = await api.call(operation.method, path, { key: null, data: bodyOf(operation) });
    expect([nameOf(operation), status, headers['www-authenticate']]).toEqual([nameOf(operation), 401, 'Bearer']);
    expect(body).toMatchObject({ error: 'Unauthorized', message: 'Invalid or expired API key', code: 'missing_key' });
  }
});

test('acts for no other identity, named in query or body', async ({ api, stranger }) => {
  const refused = { error: 'Forbidden', message: 'identityId does not match the API key', code: 'identity_override' };
  const resources = await resourcesOf(api);
  const foreign = stranger.tenant.identityId;
  for (const operation of api.contract.operations) {
    const path = fill(operation.path, resources);
    const data = bodyOf(operation);
    for (const answer of [
      await api.call(operation.method, `${path}?identityId=${foreign}`, { data }),
      await api.call(operation.method, `${path}?identityId=`, { data }),
      await api.call(operation.method, `${path}?identityId=${api.tenant.identityId}&identityId=${foreign}`, { data }),
      await api.call(operation.method, path, { data: { ...data, identityId: foreign } }),
      await api.call(operation.method, path, { data: { ...data, identityId: null } }),
    ]) {
      expect([nameOf(operation), answer.status]).toEqual([nameOf(operation), 403]);
      expect(answer.body).toMatchObject(refused);
    }
  }
  expect((await api.get(`/identity/customers/${resources.id}`)).body.contacts).toHaveLength(2);
});

test('accepts and ignores its own identity’s id', async ({ api }) => {
  const { identityId } = api.tenant;
  for (const operation of api.contract.operations) {
    const path = fill(operation.path, unknownIds);
    const answer = await api.call(operation.method, `${path}?identityId=${identityId}${queries[nameOf(operation)] ?? ''}`, {
      data: { ...bodyOf(operation), identityId },
    });
    expect([200, 201, 404]).toContain(answer.status);
  }
});

test('finds nothing of another identity, and says so as of what does not exist', async ({ api, stranger }) => {
  const resources = await resourcesOf(stranger);
  const before = (await stranger.get('/identity/customers')).body;
  let checked = 0;
  for (const operation of api.contract.operations) {
    if (!operation.path.includes('{')) continue;
    checked++;
    for (const values of [resources, unknownIds]) {
      const answer = await api.call(operation.method, fill(operation.path, values), { data: bodyOf(operation) });
      expect([nameOf(operation), answer.status]).toEqual([nameOf(operation), 404]);
      expect(answer.body).toEqual({
        ...notFoundAt(operation.path),
        code: 'not_found',
        requestId: answer.headers['x-request-id'],
      });
    }
  }
  expect(checked).toBeGreaterThanOrEqual(6);
  expect((await stranger.get('/identity/customers')).body).toEqual(before);
});

test('refuses an id that is none', async ({ api }) => {
  for (const operation of api.contract.operations) {
    const names = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    if (names.length === 0) continue;
    const path = fill(operation.path, Object.fromEntries(names.map((name) => [name, 'not-an-id'])));
    const { status, body } = await api.call(operation.method, path, { data: bodyOf(operation) });
    // No event has it, and that is all (contract section 2).
    if (operation.path.startsWith('/calendar/')) {
      expect([status, body.error]).toEqual([404, 'Event not found']);
      continue;
    }
    expect([nameOf(operation), status]).toEqual([nameOf(operation), 400]);
    expect(Object.keys(body.details.fields).sort()).toEqual(names.sort());
  }
});
