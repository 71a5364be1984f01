import { beforeAll, describe, expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { pool } from '../db/pool';

withFreshDatabase();
const call = withHttpServer();

interface Owner {
  key: string;
  identityId: string;
  conversationId: string;
}

const records = 7;

/** An identity with seven records in each list. */
async function fill(): Promise<Owner> {
  const { key, identityId } = await createTestIdentity();
  for (let n = 0; n < records; n++) {
    await call('POST', '/api/v1/identity/customers', {
      key,
      json: { contacts: [{ email: `p${n}@x.io` }], company: `Shop ${n}`, tags: ['vip'] },
    });
    await call('POST', '/api/v1/blog/posts', {
      key,
      json: { title: `Wheel ${n}`, content: 'x', authorName: 'Ann', tags: ['vip'] },
    });
  }
  const conversationId = crypto.randomUUID();
  // Every identity begins with one agent.
  await pool().query(
    `INSERT INTO agents (id, identity_id, name, kind, role_id, setup) SELECT gen_random_uuid(), $1, 'Agent ' || n, 'assistant', 'agent-' || n, '{}'
      FROM generate_series(2, ${records}) AS n`,
    [identityId],
  );
  await pool().query(
    `INSERT INTO conversations (id, identity_id, subject, preview, counterpart_email, last_message_at, message_count)
      SELECT CASE n WHEN 1 THEN $2 ELSE gen_random_uuid() END, $1, 'Question ' || n, '', 'ann@x.io', '2026-01-01'::timestamptz + n / 3 * interval '1 s',
        CASE n WHEN 1 THEN ${records} ELSE 0 END
      FROM generate_series(1, ${records}) AS n`,
    [identityId, conversationId],
  );
  await pool().query(
    `INSERT INTO messages (id, identity_id, conversation_id, direction, status, from_email, subject, text, preview, message_id_header, created_at, received_at)
      SELECT gen_random_uuid(), $1, $2, 'inbound', 'received', 'ann@x.io', 'x', 'x', '', n || '@x.io', '2026-01-01'::timestamptz + n / 3 * interval '1 s', now()
      FROM generate_series(1, ${records}) AS n`,
    [identityId, conversationId],
  );
  return { key, identityId, conversationId };
}

let [own, other]: [Owner, Owner] = [] as never;
beforeAll(async () => {
  [own, other] = [await fill(), await fill()];
});

const lists: [name: string, path: (owner: Owner) => string][] = [
  ['customers', () => '/api/v1/identity/customers?limit=3'],
  ['customers of a tag', () => '/api/v1/identity/customers?limit=3&tag=vip'],
  ['customers of a search', () => '/api/v1/identity/customers?limit=3&query=shop'],
  ['conversations', () => '/api/v1/conversations?limit=3'],
  ['conversations of a search', () => '/api/v1/conversations?limit=3&search=question'],
  ['conversations after a time', () => '/api/v1/conversations?limit=3&lastMessageAfter=2025-01-01'],
  ['messages', ({ conversationId }) => `/api/v1/conversations/${conversationId}/messages?limit=3`],
  ['messages, newest first', ({ conversationId }) => `/api/v1/conversations/${conversationId}/messages?limit=3&order=desc`],
  ['posts', () => '/api/v1/blog/posts?limit=3'],
  ['posts of a tag', () => '/api/v1/blog/posts?limit=3&tag=vip'],
  ['posts of a status', () => '/api/v1/blog/posts?limit=3&status=draft'],
  ['agents', () => '/api/v1/identity/agents?limit=3'],
  ['agents of a search', () => '/api/v1/identity/agents?limit=3&kind=*'],
];

interface ListPage {
  ids: string[];
  total: number;
  offset: number | undefined;
  hasMore: boolean;
  nextCursor: string | null;
}

/** The page in an answer, wherever its parts are. */
function pageOf(body: unknown): ListPage {
  const around = ((body as { data?: object }).data ?? body) as Record<string, unknown>;
  const items = Object.values(around).find(Array.isArray) as { id: string }[];
  return { ids: items.map(({ id }) => id), ...around, ...(around.pagination as object) } as unknown as ListPage;
}

async function get(path: string, { key }: Owner = own) {
  const { status, body, headers } = await call('GET', path, { key });
  return { status, body, link: headers.link };
}

describe.each(lists)('the list of %s', (name, pathOf) => {
  const orderedByName = name.includes('agents');

  test('is read to its end by the links, without a gap or repetition, with the same total everywhere', async () => {
    const all = pageOf((await get(pathOf(own).replace('limit=3', 'limit=100'))).body);
    expect(all.ids).toHaveLength(records);
    expect(all).toMatchObject({ nextCursor: null, hasMore: false });
    const seen: string[] = [];
    for (let path: string | undefined = pathOf(own); path; ) {
      const { body, link, status } = await get(path);
      expect(status).toBe(200);
      const page = pageOf(body);
      expect(page.total).toBe(records);
      if (page.offset !== undefined) expect(page.offset).toBe(seen.length);
      seen.push(...page.ids);
      expect(page.hasMore).toBe(seen.length < records);
      expect(page.nextCursor === null).toBe(!page.hasMore);
      path = typeof link === 'string' ? /^<(.*)>; rel="next"$/.exec(link)?.[1] : undefined;
      expect(path !== undefined).toBe(page.hasMore);
    }
    expect(seen).toEqual(all.ids);
  });

  test('goes on from a page that was found by its offset', async () => {
    const all = pageOf((await get(pathOf(own).replace('limit=3', 'limit=100'))).body);
    const { nextCursor } = pageOf((await get(`${pathOf(own)}&offset=2`)).body);
    expect(pageOf((await get(`${pathOf(own)}&cursor=${nextCursor}`)).body).ids).toEqual(all.ids.slice(5));
  });

  test('refuses the cursor of another list, of another identity, of other filters, beside an offset, and what is none', async () => {
    const { nextCursor } = pageOf((await get(pathOf(own))).body);
    const foreign = pageOf((await get(pathOf(other), other)).body).nextCursor;
    const [, elsewhere] = lists.find(([, path]) => !path(own).startsWith(pathOf(own).split('?')[0] ?? '')) ?? lists[0] ?? [];
    const strange = pageOf((await get(elsewhere?.(own) ?? '')).body).nextCursor;
    const written = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');
    const [key, , id] = JSON.parse(Buffer.from(nextCursor ?? '', 'base64url').toString());
    const forged = [
      [],
      [key],
      [key, 'a\0b', id, 3, 7],
      [key, '2026-01-01', 'x', 3, 7],
      [key, '2026-01-01T00:00:00Z', id, -3, 7],
      { key },
    ].map(written);
    for (const cursor of [foreign, strange, 'x', '', '%00', ...forged]) {
      const { status, body } = await get(`${pathOf(own)}&cursor=${cursor}`);
      expect([cursor, status, body]).toEqual([cursor, 400, expect.objectContaining({ code: 'invalid_request' })]);
    }
    // Names where the list is ordered by name; elsewhere times that PostgreSQL has in another way, or cannot read.
    for (const value of ['Infinity', '0000-01-01T00:00:00.000Z', '2026-02-31T00:00:00.000Z', '-000001-01-01T00:00:00.000Z']) {
      const { status } = await get(`${pathOf(own)}&cursor=${written([key, value, id, 3, 7])}`);
      expect([value, status]).toEqual([value, orderedByName ? 200 : 400]);
    }
    expect((await get(`${pathOf(own)}&cursor=${nextCursor}&offset=3`)).body).toMatchObject({
      details: { fields: { offset: expect.any(String) } },
    });
    expect((await get(`${pathOf(own)}&offset=100001`)).body).toMatchObject({
      details: { fields: { offset: expect.stringMatching(/cursor/) } },
    });
    expect((await get(`${pathOf(own)}&offset=100000`)).status).toBe(200);
  });
});

test('what comes and goes while reading shifts no page', async () => {
  const owner = await fill();
  const path = '/api/v1/identity/customers?limit=3';
  const all = pageOf((await get(path.replace('3', '100'), owner)).body).ids;
  const first = pageOf((await get(path, owner)).body);
  await call('POST', '/api/v1/identity/customers', { key: owner.key, json: { contacts: [{ email: 'new@x.io' }] } });
  await call('DELETE', `/api/v1/identity/customers/${first.ids[2]}`, { key: owner.key });
  expect(pageOf((await get(`${path}&cursor=${first.nextCursor}`, owner)).body).ids).toEqual(all.slice(3, 6));
});
