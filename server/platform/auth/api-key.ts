import type { ApiKeyActor, KeyAgent } from '../actor';
import { pool } from '../db/pool';
import { rows } from '../db/sql';
import { AppError } from '../errors';
import { logFailure } from '../outage-log';
import type { Plan } from '../plan';
import { oncePerProcess } from '../process-globals';
import { describeApiKeyToken, hashApiKeyToken, isWellFormedApiKeyToken } from './api-key-token';
import { noteSecurityEvent } from './security-log';

interface KeyRow {
  id: string;
  identity_id: string;
  owner_user_id: string;
  name: string;
  plan: Plan;
  expires_at: Date | null;
  revoked_at: Date | null;
  scopes: string[];
  agent_id: string | null;
  agent_name: KeyAgent['name'];
  agent_status: KeyAgent['status'];
  /** True if `last_used_at` is outdated, or in the future because a clock was ahead. */
  is_stale: boolean;
}

interface CachedKey {
  /**
   * When the query was sent, by `performance.now()`; the result is at least this fresh. With the time of day, a clock set back
   * by a day would hide a revocation for a day.
   */
  askedAt: number;
  row: Promise<KeyRow | undefined>;
}

/**
 * How long a key from the database is cached, in milliseconds. The look-up is a third of a get's cost, and a revoked key, or
 * one of an agent that was paused, still stops working within a second (contract sections 3 and 10).
 */
const cacheLifetime = 800;
const cacheMaximum = 10_000;

/** True if the last use should be written: once a minute, and if the stored time is in the future. */
const isStale = `(last_used_at IS NULL OR last_used_at NOT BETWEEN now() - interval '1 minute' AND now() + interval '1 minute')`;

function cache(): Map<string, CachedKey> {
  return oncePerProcess('api-key-cache', () => new Map<string, CachedKey>());
}

async function readKey(hash: Buffer): Promise<KeyRow | undefined> {
  const [row] = await rows<KeyRow>(pool(), {
    name: 'api-key',
    isByKey: true,
    text: `SELECT k.id, k.identity_id, k.name, i.owner_user_id, i.plan, k.expires_at, k.revoked_at, k.scopes, k.agent_id, a.name AS agent_name,
        a.status::text AS agent_status, ${isStale} AS is_stale
      FROM api_keys k JOIN identities i ON i.id = k.identity_id AND i.erased_at IS NULL
      LEFT JOIN agents a ON a.identity_id = k.identity_id AND a.id = k.agent_id WHERE k.hash = $1`,
    values: [hash],
  });
  return row;
}

function lookUp(hash: Buffer): Promise<KeyRow | undefined> {
  const now = performance.now();
  const entries = cache();
  const id = hash.toString('base64');
  const cached = entries.get(id);
  if (cached && now - cached.askedAt < cacheLifetime) return cached.row;
  if (entries.size >= cacheMaximum) entries.clear();
  const row = readKey(hash);
  entries.set(id, { askedAt: now, row });
  row.then(
    (found) => (found ? updateLastUsed(found) : entries.delete(id)),
    () => entries.delete(id),
  );
  return row;
}

/** Updates `lastUsedAt` at most once a minute, without delaying the request. */
function updateLastUsed(key: KeyRow): void {
  if (key.revoked_at || !key.is_stale) return;
  pool()
    .query({
      name: 'api-key-used',
      text: `UPDATE api_keys SET last_used_at = now() WHERE id = $1 AND ${isStale}`,
      values: [key.id],
    })
    .catch((error: unknown) => logFailure(error, {}, 'last use of an API key not noted'));
}

function unauthorized(code: 'missing_key' | 'invalid_key' | 'expired_key' | 'revoked_key'): AppError {
  return new AppError(code, 'Invalid or expired API key', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** The error for a cached key that was deleted together with its identity; null while the key exists. */
export async function deletedKeyError({ apiKeyId }: ApiKeyActor): Promise<AppError | null> {
  const found = await rows(pool(), {
    name: 'api-key-exists',
    text: 'SELECT 1 FROM api_keys k JOIN identities i ON i.id = k.identity_id AND i.erased_at IS NULL WHERE k.id = $1',
    values: [apiKeyId],
  });
  return found.length > 0 ? null : unauthorized('invalid_key');
}

/** Where a request came from, for the security log. */
export interface RequestOrigin {
  address: string;
  requestId: string;
}

type KeyProblem = 'invalid_key' | 'expired_key' | 'revoked_key';

/** The error for a rejected key. Notes it in the security log with the part of the key that lists show. */
function rejectKey(code: KeyProblem, token: string | undefined, origin: RequestOrigin | undefined, key?: KeyRow): AppError {
  if (origin) {
    const prefix = token?.startsWith('sk_live_') ? describeApiKeyToken(token).prefix : null;
    noteSecurityEvent({ kind: 'key_refused', reason: code, identityId: key?.identity_id ?? null, subject: prefix, ...origin });
  }
  return unauthorized(code);
}

/**
 * The API key actor of an `Authorization` header.
 * @param origin if given, a rejected key is noted in the security log
 * @throws AppError missing_key, invalid_key, revoked_key or expired_key; all have the same message.
 */
export async function authenticateApiKey(authorization: string | null, origin?: RequestOrigin): Promise<ApiKeyActor> {
  if (!authorization) throw unauthorized('missing_key');
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (!token || !isWellFormedApiKeyToken(token)) throw rejectKey('invalid_key', token, origin);
  const key = await lookUp(hashApiKeyToken(token));
  if (!key) throw rejectKey('invalid_key', token, origin);
  if (key.revoked_at) throw rejectKey('revoked_key', token, origin, key);
  if (key.expires_at && key.expires_at.getTime() <= Date.now()) throw rejectKey('expired_key', token, origin, key);
  return actorOf(key);
}

function actorOf(key: KeyRow): ApiKeyActor {
  const agent = key.agent_id === null ? null : { id: key.agent_id, name: key.agent_name, status: key.agent_status };
  const { id: apiKeyId, identity_id: identityId, owner_user_id: ownerUserId, plan, name, scopes } = key;
  return { kind: 'apiKey', apiKeyId, identityId, ownerUserId, plan, name, scopes, agent };
}
