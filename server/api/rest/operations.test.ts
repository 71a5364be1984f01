import { beforeAll, describe, expect, test } from 'vitest';
import { prisma } from '@/server/db/prisma';
import type { AgentDetail } from '@/server/modules/agents/agent.schema';
import { createAgent, getAgent } from '@/server/modules/agents/agent.service';
import { type BlogPostRecord, createBlogPostInput } from '@/server/modules/blog/blog-post.schema';
import { createBlogPost, getBlogPost } from '@/server/modules/blog/blog-post.service';
import type { EventRecord } from '@/server/modules/calendar/calendar.schema';
import { getEvent } from '@/server/modules/calendar/event.service';
import { getConversation } from '@/server/modules/conversations/conversation.service';
import { type CustomerRecord, createCustomerInput } from '@/server/modules/customers/customer.schema';
import { createCustomer, getCustomer } from '@/server/modules/customers/customer.service';
import { createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { restRoutes } from './dispatcher';
import type { RestRoute } from './route-table';

/**
 * What holds for every operation, whoever adds it: generated from the registry. An operation with a parameter or a body must be
 * given an example of it below; the tests say so.
 */

withFreshDatabase();
const call = withHttpServer();

/** 16 pixels square, the smallest that is taken; a PNG in base64. */
const smallPicture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAAA1BMVEUAiHeaQcsGAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADklEQVQYlWNgGAUMSAAAARAAAVGhZwQAAAAASUVORK5CYII=';

/** A body each operation would take, were the resource one's own. */
const bodies: Record<string, object> = {
  'identity.update': { displayName: 'Changed' },
  'customers.create': { contacts: [{ email: 'new@x.io' }] },
  'customers.update': { company: 'Changed' },
  'customers.addContact': { email: 'new@x.io' },
  'agents.update': { name: 'Changed' },
  'agents.updateHitl': { routes: [{ level: 1 }] },
  'conversations.update': { isSpam: true },
  'conversations.reply': { text: 'Hello' },
  'usage.track': { type: 'token_usage', totalTokens: 1 },
  'usage.trackBatch': { records: [{ type: 'token_usage', totalTokens: 1 }] },
  'blog.create': { title: 'New', content: 'Text', authorName: 'Ann' },
  'blog.update': { title: 'Changed' },
  'blog.uploadImage': { content: smallPicture },
  'blog.updateSettings': { language: 'de' },
  'calendar.create': { title: 'New', startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z' },
  'calendar.update': { title: 'Changed' },
  'calendar.rsvp': { response: 'accepted' },
};

/** What an operation needs in its query. */
const queries: Record<string, string> = {
  'conversations.thread': '&conversationId=0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  'calendar.availability': '&startTime=2026-11-24T09:00:00Z&endTime=2026-11-24T10:00:00Z',
};

/** One of each resource of an identity. */
interface Resources {
  customer: CustomerRecord;
  agent: AgentDetail;
  conversationId: string;
  attachmentId: string;
  post: BlogPostRecord;
  event: EventRecord;
}

/** Values of path parameters that name something of an identity. */
function parametersOf({ customer, agent, conversationId, attachmentId, post, event }: Resources): Record<string, string> {
  const guid = customer.contacts[0]?.guid ?? '';
  return { id: customer.id, guid, agentId: agent.id, conversationId, attachmentId, postId: post.id, eventId: event.id };
}

function pathOf(route: RestRoute, parameters: Record<string, string>): string {
  const segments = route.segments.map(({ text, parameter }) => {
    if (!parameter) return text;
    const value = parameters[text];
    if (value === undefined) throw new Error(`${route.name}: give the parameter ${text} a value in parametersOf().`);
    return value;
  });
  return `/api/v1/${segments.join('/')}`;
}

function bodyOf(route: RestRoute): object | undefined {
  if (!route.takesBody) return undefined;
  const body = bodies[route.name];
  if (!body) throw new Error(`${route.name}: give it an example in bodies.`);
  return body;
}

/** A conversation with a file in it. */
async function receiveAttachment({ handle }: TestIdentity): Promise<{ conversationId: string; attachmentId: string }> {
  const headers = { 'Content-Type': 'application/pdf; name="plan.pdf"' };
  const { conversationId, messageId } = await deliver({ headers }, { to: `inbox-manager@${handle}.localhost` });
  const { id } = await prisma().attachment.findFirstOrThrow({ where: { messageId } });
  return { conversationId, attachmentId: id };
}

let caller: TestIdentity;
let stranger: TestIdentity;
let foreign: Resources;

/** Read only: no test of this file may change what is another's. */
beforeAll(async () => {
  caller = await createTestIdentity();
  stranger = await createTestIdentity();
  const contacts = [{ email: 'ann@x.io' }, { email: 'bob@x.io' }];
  foreign = {
    customer: await createCustomer(stranger.actor, createCustomerInput.parse({ contacts, company: 'Theirs', tags: ['a'] })),
    agent: await createAgent(stranger.actor, { name: 'Theirs', roleId: 'theirs', kind: 'assistant' }),
    ...(await receiveAttachment(stranger)),
    post: (await createBlogPost(stranger.actor, createBlogPostInput.parse({ title: 'Theirs', content: 'x', authorName: 'S' })))
      .data.post,
    event: await createTestEvent(stranger.actor, { invitees: [{ email: 'ann@x.io' }] }),
  };
});

/** What an error is called: blog and calendar have their own ways (specification, "Errors"). */
function refusalOf({ area }: RestRoute, title: keyof typeof blogTitles): object {
  if (area === 'calendar') return { success: false, error: expect.not.stringMatching(/^$/) };
  return { error: area === 'blog' ? blogTitles[title] : title };
}

/** How each area says that there is no such thing. */
function notFoundIn({ area }: RestRoute): object {
  if (area === 'calendar') return { success: false, error: 'Event not found' };
  if (area === 'blog') return { error: 'NotFound', message: 'Blog post not found' };
  return { error: 'Not found', message: 'Resource not found or access denied' };
}

const blogTitles = {
  'Invalid request': 'ValidationError',
  'Not found': 'NotFound',
  'Method not allowed': 'MethodNotAllowed',
  'Payload too large': 'PayloadTooLarge',
  'Unsupported media type': 'UnsupportedMediaType',
};

const routes = restRoutes();
const named = (list: readonly RestRoute[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const);

test('there is something to check', () => {
  expect(routes.length).toBeGreaterThanOrEqual(10);
});

describe.each(named(routes))('%s', (_, route) => {
  const path = () => pathOf(route, parametersOf(foreign));

  test('without a key', async () => {
    const { status, headers, body } = await call(route.method, path(), { json: bodyOf(route) });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(headers['x-ratelimit-limit']).toBeUndefined();
    expect(body).toEqual({
      error: 'Unauthorized',
      message: 'Invalid or expired API key',
      code: 'missing_key',
      requestId: headers['x-request-id'],
    });
  });

  test('with a session cookie instead of a key', async () => {
    const { status, body } = await call(route.method, path(), {
      json: bodyOf(route),
      headers: { cookie: 'frontdesk.session=x' },
    });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'missing_key' });
  });

  const override = {
    status: 403,
    body: { error: 'Forbidden', message: 'identityId does not match the API key', code: 'identity_override' },
  };

  test('for another identity, named in the query', async () => {
    for (const identityId of [stranger.identityId, '', 'x']) {
      const query = `?identityId=${identityId}`;
      expect(await call(route.method, path() + query, { key: caller.key, json: bodyOf(route) })).toMatchObject(override);
    }
    const twice = `?identityId=${caller.identityId}&identityId=${stranger.identityId}`;
    expect(await call(route.method, path() + twice, { key: caller.key, json: bodyOf(route) })).toMatchObject(override);
  });

  test('for another identity, named in the body', async () => {
    for (const identityId of [stranger.identityId, '', null, 5, [caller.identityId], {}]) {
      const json = { ...bodyOf(route), identityId };
      expect(await call(route.method, path(), { key: caller.key, json })).toMatchObject(override);
    }
  });

  test('for one’s own identity, named as one likes', async () => {
    const identityId = caller.identityId;
    const json = { ...bodyOf(route), identityId: identityId.toUpperCase() };
    const { status } = await call(route.method, `${path()}?identityId=${identityId}${queries[route.name] ?? ''}`, {
      key: caller.key,
      json,
    });
    expect(status).not.toBe(403);
    expect([200, 201, 404]).toContain(status);
  });

  test('with a method it does not have', async () => {
    const { status, headers, body } = await call('PUT', path(), { key: caller.key, json: {} });
    expect(status).toBe(405);
    expect(headers.allow?.split(', ')).toContain(route.method);
    expect(headers.allow?.split(', ')).not.toContain('PUT');
    expect(body).toMatchObject({ ...refusalOf(route, 'Method not allowed'), code: 'method_not_allowed' });
  });
});

const withParameters = routes.filter((route) => route.segments.some(({ parameter }) => parameter));

describe.each(named(withParameters))('%s of another identity', (_, route) => {
  test('is not found, in the same words as one that does not exist', async () => {
    const unknownId = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
    const ids = Object.fromEntries(Object.keys(parametersOf(foreign)).map((name) => [name, unknownId]));
    const unknown = { ...ids, guid: '53ec99fd-3ebc-50ed-a4e2-ea9fc9da7adb' };
    for (const parameters of [parametersOf(foreign), unknown]) {
      const answer = await call(route.method, pathOf(route, parameters), { key: caller.key, json: bodyOf(route) });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        ...notFoundIn(route),
        code: 'not_found',
        requestId: answer.headers['x-request-id'],
      });
    }
    expect(await getCustomer(stranger.actor, foreign.customer.id)).toEqual(foreign.customer);
    expect(await getAgent(stranger.actor, foreign.agent.id)).toEqual(foreign.agent);
    expect(await getConversation(stranger.actor, foreign.conversationId)).toMatchObject({ isSpam: false, messageCount: 1 });
    expect((await getBlogPost(stranger.actor, foreign.post.id)).data.post).toEqual(foreign.post);
    expect((await getEvent(stranger.actor, foreign.event.id)).event).toMatchObject({ title: 'Meeting', revision: 1 });
  });

  test('by an id that is none is refused, each bad one named', async () => {
    const malformed = Object.fromEntries(
      route.segments.filter(({ parameter }) => parameter).map(({ text }) => [text, 'not-an-id']),
    );
    const { status, body } = await call(route.method, pathOf(route, malformed), { key: caller.key, json: bodyOf(route) });
    if (route.area === 'calendar') {
      expect(status).toBe(404);
      return expect(body).toMatchObject(notFoundIn(route));
    }
    expect(status).toBe(400);
    expect(body).toMatchObject({ ...refusalOf(route, 'Invalid request'), code: 'invalid_request' });
    if (route.area === 'blog') expect(body).toMatchObject({ message: 'Invalid postId format. Must be a valid UUID.' });
    const { fields } = (body as { details: { fields: Record<string, string> } }).details;
    expect(fields).toEqual(Object.fromEntries(Object.keys(malformed).map((name) => [name, 'must be a UUID'])));
  });
});

const withBody = routes.filter((route) => route.takesBody);

describe.each(named(withBody))('%s with a body that is none', (_, route) => {
  const path = () => pathOf(route, parametersOf(foreign));
  const expected =
    route.area === 'identity'
      ? { error: 'Invalid request body', message: 'Request body must be a JSON object' }
      : { ...refusalOf(route, 'Invalid request'), code: 'invalid_request' };

  test.each(['', '{', '[]', '[{}]', 'null', '"x"', '5', 'true'])('%j', async (body) => {
    const answer = await call(route.method, path(), { key: caller.key, body, headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(expected);
  });

  test('of another type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
      const headers = type === undefined ? {} : { 'content-type': type };
      const answer = await call(route.method, path(), { key: caller.key, body: '{}', headers });
      expect(answer.status).toBe(415);
      expect(answer.body).toMatchObject({ ...refusalOf(route, 'Unsupported media type'), code: 'unsupported_media_type' });
    }
  });

  test('that is too large', async () => {
    const json = { ...bodyOf(route), padding: 'x'.repeat(route.rest.maximumBodyBytes ?? 1024 * 1024) };
    const answer = await call(route.method, path(), { key: caller.key, json });
    expect(answer.status).toBe(413);
    expect(answer.body).toMatchObject({ ...refusalOf(route, 'Payload too large'), code: 'payload_too_large' });
  });

  test('that can not be stored, anywhere in it', async () => {
    for (const text of ['"a\\u0000"', '"\\ud800"', '1e400', '12345678901234567890']) {
      const body = `${JSON.stringify(bodyOf(route)).slice(0, -1)},"unknownKey":{"deep":[${text}]}}`;
      const answer = await call(route.method, path(), { key: caller.key, body, headers: { 'content-type': 'application/json' } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: 'invalid_request',
        details: { fields: { 'unknownKey.deep.0': expect.any(String) } },
      });
    }
  });
});
