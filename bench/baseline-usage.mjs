import { v7 } from 'uuid';

/** The hand-written server's tracking of usage and its list of agents. */

const text = { type: 'string', maxLength: 255 };
const count = { type: 'integer', minimum: 0 };

const tracked = {
  type: 'object',
  properties: { success: { type: 'boolean' }, id: { type: 'string' }, createdAt: { type: 'string' } },
};

/** One insert and one counter that all requests of an identity raise. */
function track(pool) {
  return async (request) => {
    const { identityId, body } = request;
    const id = v7();
    const { rows } = await pool.query({
      name: 'track',
      text: `WITH record AS (
          INSERT INTO usage_records (id, identity_id, type, total_tokens, model, operation, agent_id, status, outcome, metadata, created_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now()) RETURNING created_at
        ), counted AS (
          INSERT INTO usage_months AS m (identity_id, month, shard, tokens, executions)
          VALUES ($2, date_trunc('month', now() AT TIME ZONE 'UTC')::date, '00000000-0000-0000-0000-000000000000', coalesce($4, 0),
            CASE WHEN $9::execution_outcome IS NULL THEN 0 ELSE 1 END)
          ON CONFLICT (identity_id, month, shard) DO UPDATE
          SET tokens = m.tokens + excluded.tokens, executions = m.executions + excluded.executions
        ) SELECT created_at FROM record`,
      values: [
        id,
        identityId,
        body.type,
        body.type === 'token_usage' ? (body.totalTokens ?? body.promptTokens + body.completionTokens) : null,
        body.model,
        body.operation,
        body.agentId,
        body.status,
        body.type === 'agent_execution' ? body.status : null,
        body.metadata ? JSON.stringify(body.metadata) : null,
      ],
    });
    return { success: true, id, createdAt: rows[0].created_at.toISOString() };
  };
}

const like = (search) =>
  search
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');

const agent = {
  type: 'object',
  properties: {
    ...Object.fromEntries(
      ['id', 'name', 'kind', 'roleId', 'email', 'status', 'avatarUrl', 'createdAt'].map((key) => [key, text]),
    ),
    activeTasks: { type: 'integer' },
    lastActiveAt: { type: 'string', nullable: true },
    updatedAt: { type: 'string', nullable: true },
  },
};

/** The query as one writes it: the table, its three columns, a window for the total. */
function listAgents(pool) {
  return async (request) => {
    const { identityId, query } = request;
    const [limit, offset] = [Number(query.limit ?? 100), Number(query.offset ?? 0)];
    const { rows } = await pool.query({
      name: 'agents',
      text: `SELECT a.*, i.handle, i.address, count(*) OVER ()::int AS total,
          (SELECT json_build_object('active', sum(active)::int, 'last', max(last_active_at)) FROM agent_activity
            WHERE identity_id = $1 AND agent_id = a.id::text) AS activity
        FROM agents a JOIN identities i ON i.id = a.identity_id
        WHERE a.identity_id = $1 AND (a.name ILIKE $4 OR a.kind ILIKE $4 OR a.role_id ILIKE $4)
        ORDER BY lower(a.name), a.id LIMIT $2 OFFSET $3`,
      values: [identityId, limit, offset, /[*?]/.test(query.query) ? like(query.query) : `%${like(query.query)}%`],
    });
    const total = rows[0]?.total ?? 0;
    return {
      agents: rows.map((row) => ({
        id: row.id,
        name: row.name,
        kind: row.kind,
        roleId: row.role_id,
        email: `${row.role_id}@${row.address?.split('@')[1] ?? `${row.handle}.localhost`}`,
        status: row.status,
        avatarUrl: row.avatar_url,
        activeTasks: row.activity.active ?? 0,
        lastActiveAt: row.activity.last,
        createdAt: row.created_at.toISOString(),
        updatedAt: row.updated_at?.toISOString() ?? null,
      })),
      count: rows.length,
      total,
      pagination: { limit, offset, hasMore: offset + rows.length < total },
      filters: { query: query.query },
    };
  };
}

export function addAgentsAndUsage(app, pool, authenticate) {
  app.post('/api/v1/usage/track', {
    onRequest: authenticate,
    schema: {
      body: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { enum: ['token_usage', 'agent_execution'] },
          promptTokens: count,
          completionTokens: count,
          totalTokens: count,
          model: text,
          operation: text,
          agentId: text,
          status: text,
          metadata: { type: 'object' },
        },
      },
      response: { 200: tracked },
    },
    handler: track(pool),
  });
  app.get('/api/v1/identity/agents', {
    onRequest: authenticate,
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            agents: { type: 'array', items: agent },
            count,
            total: count,
            pagination: { type: 'object', properties: { limit: count, offset: count, hasMore: { type: 'boolean' } } },
            filters: { type: 'object', additionalProperties: true },
          },
        },
      },
    },
    handler: listAgents(pool),
  });
}
