import { createHash } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';
import { v5, v7 } from 'uuid';
import { addCalendar } from './baseline-calendar.mjs';
import { addAgentsAndUsage } from './baseline-usage.mjs';

/**
 * What a good programmer would write by hand for these few operations and nothing else: Fastify with compiled validators and serialisers,
 * named prepared statements, the fewest round trips, and the product's own cache of keys for a second. No log, no limits, no further
 * operations. The product is measured against this (bench/README.md).
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** @type {Map<string, {askedAt: number, row: Promise<any>}>} */
const keys = new Map();

function lookUp(token) {
  const hash = createHash('sha256').update(token).digest();
  const id = hash.toString('base64');
  const cached = keys.get(id);
  if (cached && Date.now() - cached.askedAt < 800) return cached.row;
  const row = pool
    .query({
      name: 'key',
      text: `SELECT k.identity_id, i.plan, k.expires_at, k.revoked_at
        FROM api_keys k JOIN identities i ON i.id = k.identity_id WHERE k.hash = $1`,
      values: [hash],
    })
    .then((result) => result.rows[0]);
  keys.set(id, { askedAt: Date.now(), row });
  row.catch(() => keys.delete(id));
  return row;
}

async function authenticate(request, reply) {
  const token = /^Bearer (sk_live_\w+)$/.exec(request.headers.authorization ?? '')?.[1];
  const key = token && (await lookUp(token));
  if (!key || key.revoked_at || (key.expires_at && key.expires_at <= new Date())) {
    return reply
      .code(401)
      .header('WWW-Authenticate', 'Bearer')
      .send({ error: 'Unauthorized', message: 'Invalid or expired API key' });
  }
  request.identityId = key.identity_id;
}

const text = { type: 'string' };
const uuid = { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' };
const email = { type: 'string', maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' };

const customer = {
  type: 'object',
  properties: {
    id: text,
    identityId: text,
    company: text,
    phone: text,
    tags: { type: 'array', items: text },
    notes: text,
    metadata: { type: 'object', additionalProperties: true },
    contacts: {
      type: 'array',
      items: { type: 'object', properties: { guid: text, email: text, displayName: text, isPrimary: { type: 'boolean' } } },
    },
    createdAt: text,
    updatedAt: text,
  },
};

const customerList = {
  type: 'object',
  properties: {
    customers: { type: 'array', items: customer },
    count: { type: 'integer' },
    total: { type: 'integer' },
    totalIsExact: { type: 'boolean' },
    hasMore: { type: 'boolean' },
  },
};

function toCustomer(row, contacts) {
  return {
    id: row.id,
    identityId: row.identity_id,
    company: row.company,
    phone: row.phone,
    tags: row.tags,
    notes: row.notes,
    metadata: row.metadata,
    contacts,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toContact(row) {
  return { guid: row.guid, email: row.email, displayName: row.display_name, isPrimary: row.is_primary };
}

const columns = 'c.id, c.identity_id, c.company, c.phone, c.tags, c.notes, c.metadata, c.created_at, c.updated_at';

async function getCustomer(request, reply) {
  const { rows } = await pool.query({
    name: 'get',
    text: `SELECT ${columns}, (SELECT json_agg(json_build_object('guid', guid, 'email', email, 'displayName', display_name,
        'isPrimary', is_primary) ORDER BY link_order) FROM external_contacts WHERE identity_id = $1 AND customer_id = c.id) AS contacts
      FROM customers c WHERE c.identity_id = $1 AND c.id = $2`,
    values: [request.identityId, request.params.id],
  });
  if (rows.length === 0) return reply.code(404).send({ error: 'Not found', message: 'Resource not found or access denied' });
  return toCustomer(rows[0], rows[0].contacts);
}

function listStatement(identityId, limit, offset) {
  return {
    name: 'list',
    text: `SELECT ${columns}, (SELECT sum(customers)::float8 FROM customer_counts WHERE identity_id = $1) AS total
      FROM customers c WHERE c.identity_id = $1 ORDER BY c.created_at DESC, c.id DESC LIMIT $2 OFFSET $3`,
    values: [identityId, limit, offset],
  };
}

function searchStatement(identityId, limit, offset, query) {
  return {
    name: 'search',
    text: `WITH matching AS (
        SELECT c.id, c.created_at FROM customers c
        WHERE c.identity_id = $1 AND c.search_text LIKE lower($4) AND (c.company ILIKE $4 OR c.notes ILIKE $4) ORDER BY c.created_at DESC, c.id DESC LIMIT 1001
      ), page AS (SELECT id FROM matching ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3)
      SELECT ${columns}, (SELECT count(*)::float8 FROM matching) AS total
      FROM page JOIN customers c ON c.identity_id = $1 AND c.id = page.id ORDER BY c.created_at DESC, c.id DESC`,
    values: [identityId, limit, offset, `%${query.replace(/[\\%_]/g, '\\$&')}%`],
  };
}

async function listCustomers(request) {
  const { identityId, query } = request;
  const [limit, offset] = [Number(query.limit ?? 50), Number(query.offset ?? 0)];
  const statement = query.q ? searchStatement(identityId, limit, offset, query.q) : listStatement(identityId, limit, offset);
  const { rows } = await pool.query(statement);
  const contacts = new Map(rows.map((row) => [row.id, []]));
  if (rows.length > 0) {
    const found = await pool.query({
      name: 'contacts',
      text: `SELECT customer_id, guid, email, display_name, is_primary FROM external_contacts
        WHERE identity_id = $1 AND customer_id = ANY($2) ORDER BY link_order`,
      values: [identityId, [...contacts.keys()]],
    });
    for (const row of found.rows) contacts.get(row.customer_id).push(toContact(row));
  }
  const total = rows[0]?.total ?? 0;
  return {
    customers: rows.map((row) => toCustomer(row, contacts.get(row.id))),
    count: rows.length,
    total: query.q ? Math.min(total, 1000) : total,
    totalIsExact: !query.q || total <= 1000,
    hasMore: offset + rows.length < total,
  };
}

async function createCustomer(request, reply) {
  const { identityId, body } = request;
  const contacts = body.contacts.map((contact) => ({ ...contact, email: contact.email.trim().toLowerCase() }));
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Contacts first: the customer's text for searching has them.
    const id = v7();
    const linked = await client.query({
      name: 'insert-contacts',
      text: `INSERT INTO external_contacts AS e (identity_id, guid, email, display_name, customer_id, is_primary, link_order)
        SELECT $1, guid, email, name, $2, position = 1, nextval('external_contacts_link_order_seq')
        FROM unnest($3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY AS given(guid, email, name, position)
        ON CONFLICT (identity_id, guid) DO UPDATE SET customer_id = excluded.customer_id, is_primary = excluded.is_primary,
          link_order = excluded.link_order WHERE e.customer_id IS NULL
        RETURNING guid, email, display_name, is_primary`,
      values: [
        identityId,
        id,
        contacts.map((contact) => v5(`mailto:${contact.email}`, v5.URL)),
        contacts.map((contact) => contact.email),
        contacts.map((contact) => contact.displayName ?? ''),
      ],
    });
    if (linked.rows.length < contacts.length) {
      await client.query('ROLLBACK');
      return reply.code(409).send({ error: 'Conflict', message: 'This contact belongs to another customer.' });
    }
    const inserted = await client.query({
      name: 'insert-customer',
      text: `INSERT INTO customers AS c (id, identity_id, company, phone, tags, notes, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7)
        RETURNING ${columns}`,
      values: [
        id,
        identityId,
        body.company ?? '',
        body.phone ?? '',
        body.tags ?? [],
        body.notes ?? '',
        JSON.stringify(body.metadata ?? {}),
      ],
    });
    const [row] = inserted.rows;
    await client.query('COMMIT');
    return reply.code(201).send(toCustomer(row, linked.rows.map(toContact)));
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

// Strict: nothing is coerced or silently dropped.
const app = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });

const path = '/api/v1/identity/customers';

app.get(`${path}/:id`, {
  onRequest: authenticate,
  schema: { params: { type: 'object', properties: { id: uuid } }, response: { 200: customer } },
  handler: getCustomer,
});

app.get(path, {
  onRequest: authenticate,
  schema: {
    querystring: {
      type: 'object',
      properties: {
        limit: { type: 'string', pattern: '^([1-9]\\d?|100)$' },
        offset: { type: 'string', pattern: '^\\d{1,9}$' },
        q: { type: 'string', maxLength: 500 },
      },
    },
    response: { 200: customerList },
  },
  handler: listCustomers,
});

app.post(path, {
  onRequest: authenticate,
  schema: {
    body: {
      type: 'object',
      required: ['contacts'],
      properties: {
        company: { type: 'string', maxLength: 500 },
        phone: { type: 'string', maxLength: 100 },
        tags: { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 100 } },
        notes: { type: 'string', maxLength: 50000 },
        metadata: { type: 'object' },
        contacts: {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          items: { type: 'object', required: ['email'], properties: { email, displayName: { type: 'string', maxLength: 300 } } },
        },
      },
    },
    response: { 201: customer },
  },
  handler: createCustomer,
});

addAgentsAndUsage(app, pool, authenticate);
addCalendar(app, pool, authenticate);

app.get('/healthz', async () => ({ status: 'ok' }));

process.on('SIGTERM', async () => {
  await app.close();
  await pool.end();
});

await app.listen({ host: process.env.HOST, port: Number(process.env.PORT) });
