import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { renewFeed } from '@/server/features/calendar/feed.service';
import { pool } from '@/server/platform/db/pool';
import { publishPost } from '@/server/testing/blog';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { inviteByMail } from '@/server/testing/invitations';
import { createRecords, named, pathOf } from '@/server/testing/operations';
import { type Answer, type Call, withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';

/** Every kind of response, on success and failure: it has security headers, and reveals no internals. */

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

let owner: TestIdentity;
let cookie: string;
/** Paths without a session. */
let paths: Record<'rsvp' | 'feed' | 'post' | 'file', string>;

beforeAll(async () => {
  owner = await createTestIdentity();
  cookie = await sessionCookieOf(owner);
  const { attachmentId } = await createRecords(owner);
  const { slug } = await publishPost(owner.actor);
  paths = {
    rsvp: (await inviteByMail(owner.actor, { title: 'Review' })).path,
    feed: new URL((await renewFeed(owner.actor)).url ?? '').pathname,
    post: `/blog/${owner.handle}/${slug}`,
    file: `/api/mail/attachments/${attachmentId}`,
  };
});

const origin = { host: 'desk.example.com', origin: 'https://desk.example.com', 'sec-fetch-site': 'same-origin' };
const dashboard = () => ({ headers: { ...origin, cookie } });

/** One request for each kind of response, keyed by result. */
const kinds: [string, number, () => [string, string, Call?]][] = [
  ['the state of the process', 200, () => ['GET', '/healthz']],
  ['readiness', 200, () => ['GET', '/readyz']],
  ['the API', 200, () => ['GET', '/api/v1/identity', { key: owner.key }]],
  ['a download', 200, () => ['GET', `/api/v1/attachments/${paths.file.split('/').pop()}`, { key: owner.key }]],
  ['the API without a key', 401, () => ['GET', '/api/v1/identity']],
  ['a bad request', 400, () => ['GET', '/api/v1/identity?x=%ff', { key: owner.key }]],
  ['no operation', 404, () => ['GET', '/api/v1/nothing', { key: owner.key }]],
  ['another method', 405, () => ['PUT', '/api/v1/identity', { key: owner.key }]],
  ['the methods there are', 204, () => ['OPTIONS', '/api/v1/identity']],
  ['the document', 200, () => ['GET', '/api/v1/openapi.json']],
  ['tRPC', 200, () => ['GET', '/api/trpc/identity.get?input={}', dashboard()]],
  ['tRPC for nobody', 401, () => ['GET', '/api/trpc/identity.get?input={}', { headers: origin }]],
  ['tRPC from elsewhere', 403, () => ['GET', '/api/trpc/identity.get', { headers: { ...origin, origin: 'https://x.example' } }]],
  ['no procedure', 404, () => ['GET', '/api/trpc/no.such', dashboard()]],
  ['a file of a mail', 200, () => ['GET', paths.file, dashboard()]],
  ['a file for nobody', 401, () => ['GET', paths.file]],
  ['the way in for mail', 404, () => ['POST', '/api/inbound/email', { body: 'x' }]],
  ['a page of a blog', 200, () => ['GET', paths.post]],
  ['no page of a blog', 404, () => ['GET', '/blog/nobody-here']],
  ['an invitation', 200, () => ['GET', paths.rsvp]],
  ['no invitation', 404, () => ['GET', '/rsvp/nonsense']],
  ['a calendar', 200, () => ['GET', paths.feed]],
  ['no calendar', 404, () => ['GET', '/api/calendar/nonsense.ics']],
];

/** Responses readable across origins: those that accept a key and never a cookie, and public feeds. */
const openToOtherSites = /^\/(api\/v1|api\/calendar|blog)(\/|$)/;

/** Checks shared by API responses and pages. */
function expectGuarded({ headers }: Answer, path: string): void {
  expect(headers['x-content-type-options']).toBe('nosniff');
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-|script-src/);
  expect(headers['referrer-policy']).toEqual(expect.stringMatching(/^(no-referrer|strict-origin)/));
  expect(headers['x-request-id']).toEqual(expect.stringMatching(/./));
  const allowed = headers['access-control-allow-origin'];
  expect([undefined, ...(openToOtherSites.test(path) ? ['*'] : [])]).toContain(allowed);
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('server');
}

describe('headers guard', () => {
  test.each(kinds)('%s', async (_, status, request) => {
    const [method, path, extra] = request();
    const answer = await call(method, path, extra);
    expect(answer.status).toBe(status);
    expectGuarded(answer, path);
    if (answer.headers['content-type']?.includes('json'))
      expect(answer.headers['cache-control']).toMatch(/no-store|no-cache|public/);
  });

  test.each([
    ['a method nobody knows', 'FROBNICATE', {}, 400],
    ['headers without end', 'GET', { x: 'x'.repeat(20_000) }, 431],
  ])('%s', async (_, method, headers, status) => {
    const answer = await call(method, '/api/v1/identity', { headers });
    expect(answer).toMatchObject({ status, body: { code: 'invalid_request', requestId: answer.headers['x-request-id'] } });
    expectGuarded(answer, '/api/v1/identity');
  });
});

/** Internals that responses must not reveal: statements, tables, files, functions. */
const internals =
  /\b(select|insert|update|delete)\b.{0,80}\b(from|into|set)\b|relation "|column "|node_modules|\.ts:\d|\bat \S+ \(|PrismaClient|postgres|ECONN|pg_/i;

describe('a fault says nothing of what is inside', () => {
  /** Renames all tables, so that every query fails. */
  async function breakTables(): Promise<() => Promise<void>> {
    const { rows } = await pool().query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT IN ('api_keys', 'identities', 'sessions', 'users')`,
    );
    const rename = (from: string, to: string) => queryAsOwner(`ALTER TABLE ${from} RENAME TO ${to}`);
    for (const { name } of rows) await rename(name, `gone_${name}`);
    return async () => {
      for (const { name } of rows) await rename(`gone_${name}`, name);
    };
  }

  let mend: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await mend?.();
    mend = undefined;
  });

  test('wherever the database fails', async () => {
    const ids = await createRecords(await createTestIdentity());
    mend = await breakTables();
    const requests: [string, string, Call?][] = [
      ...named().map(([, route]): [string, string, Call] => [route.method, pathOf(route, ids), { key: owner.key, json: {} }]),
      ...kinds.map(([, , request]) => request()),
      ['GET', '/api/trpc/customers.list,home.get,mail.outbox?batch=1&input={}', dashboard()],
      ['POST', '/api/trpc/customers.create', { ...dashboard(), json: { contacts: [{ email: 'ann@x.io' }] } }],
      [
        'POST',
        '/api/trpc/account.changePassword',
        { ...dashboard(), json: { currentPassword: 'x', newPassword: 'y'.repeat(12) } },
      ],
    ];
    let faults = 0;
    for (const [method, path, extra] of requests) {
      const answer = await call(method, path, extra);
      if (answer.status >= 500) faults++;
      // The document and pages may contain such words.
      if (answer.status < 400) continue;
      expect([method, path, internals.exec(answer.text)?.[0]]).toEqual([method, path, undefined]);
      expectGuarded(answer, path);
    }
    expect(faults).toBeGreaterThan(20);
  });
});
