import type { ApiKeyActor } from '../actor';
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
  plan: Plan;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** Its last use was noted longer ago than the note is precise, or under a clock that was ahead. */
  is_stale: boolean;
}

interface CachedKey {
  /**
   * When the database was asked, which is before it answered: the answer is at least this fresh. By `performance.now()`: were it the time
   * of day, a machine set back by a day would not see for a day that a key was revoked.
   */
  askedAt: number;
  row: Promise<KeyRow | undefined>;
}

/**
 * Milliseconds for which a key read from the database is taken as it was. A third of a get's cost is this look-up, and a key that is
 * revoked still stops working within a second (contract section 3).
 */
const freshFor = 800;
const cacheMaximum = 10_000;

/** True where it is worth writing that a key is used: once a minute, and where what is written lies in the future. */
const isStale = `(last_used_at IS NULL OR last_used_at NOT BETWEEN now() - interval '1 minute' AND now() + interval '1 minute')`;

function cache(): Map<string, CachedKey> {
  return oncePerProcess('api-key-cache', () => new Map<string, CachedKey>());
}

async function readKey(hash: Buffer): Promise<KeyRow | undefined> {
  const [row] = await rows<KeyRow>(pool(), {
    name: 'api-key',
    text: `SELECT k.id, k.identity_id, i.plan, k.expires_at, k.revoked_at, ${isStale} AS is_stale
      FROM api_keys k JOIN identities i ON i.id = k.identity_id WHERE k.hash = $1`,
    values: [hash],
  });
  return row;
}

function lookUp(hash: Buffer): Promise<KeyRow | undefined> {
  const now = performance.now();
  const entries = cache();
  const id = hash.toString('base64');
  const cached = entries.get(id);
  if (cached && now - cached.askedAt < freshFor) return cached.row;
  if (entries.size >= cacheMaximum) entries.clear();
  const row = readKey(hash);
  entries.set(id, { askedAt: now, row });
  row.then(
    (found) => (found ? noteUse(found) : entries.delete(id)),
    () => entries.delete(id),
  );
  return row;
}

/** Writes `lastUsedAt` once a minute at most, beside the request and not in its way. */
function noteUse(key: KeyRow): void {
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

/** The refusal that later requests of this key get, where it went with its identity while it was still remembered; null while it is there. */
export async function refusalOfGoneKey({ apiKeyId }: ApiKeyActor): Promise<AppError | null> {
  const found = await rows(pool(), { name: 'api-key-exists', text: 'SELECT 1 FROM api_keys WHERE id = $1', values: [apiKeyId] });
  return found.length > 0 ? null : unauthorized('invalid_key');
}

/** Where a request comes from, for the security log. */
export interface RequestOrigin {
  address: string;
  requestId: string;
}

type KeyProblem = 'invalid_key' | 'expired_key' | 'revoked_key';

/** The refusal of a key that was given; noted in the security log with as much of it as lists show. */
function refused(code: KeyProblem, token: string | undefined, origin: RequestOrigin | undefined, key?: KeyRow): AppError {
  if (origin) {
    const prefix = token?.startsWith('sk_live_') ? describeApiKeyToken(token).prefix : null;
    noteSecurityEvent({ kind: 'key_refused', reason: code, identityId: key?.identity_id ?? null, subject: prefix, ...origin });
  }
  return unauthorized(code);
}

/**
 * Who calls with this `Authorization` header.
 *
 * @param origin notes a key that is refused in the security log
 * @throws AppError missing_key, invalid_key, revoked_key or expired_key; all of them read alike to people.
 */
export async function authenticateApiKey(authorization: string | null, origin?: RequestOrigin): Promise<ApiKeyActor> {
  if (!authorization) throw unauthorized('missing_key');
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (!token || !isWellFormedApiKeyToken(token)) throw refused('invalid_key', token, origin);
  const key = await lookUp(hashApiKeyToken(token));
  if (!key) throw refused('invalid_key', token, origin);
  if (key.revoked_at) throw refused('revoked_key', token, origin, key);
  if (key.expires_at && key.expires_at.getTime() <= Date.now()) throw refused('expired_key', token, origin, key);
  return { kind: 'apiKey', apiKeyId: key.id, identityId: key.identity_id, plan: key.plan };
}
