import { hash } from 'node:crypto';
import { v7 } from 'uuid';
import type { ApiKeyActor, SessionActor } from '@/server/platform/actor';
import { withLease } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { AppError, invalidFields } from '@/server/platform/errors';
import { logFailure } from '@/server/platform/outage-log';
import type { RequestScope } from '@/server/platform/request-scope';
import type { HttpAnswer } from '../http/http-message';

/**
 * Requests that change something and may be sent again (docs/adr/0012). The first one with a key is carried out and its answer kept;
 * the same one again gets that answer. Whoever carries one out holds its lease, so a process that dies gives it free at once; and the
 * transaction of the change marks the record (`settleIdempotency`), so what was done is never done again, answer or not.
 */

const header = 'Idempotency-Key';

/** What of an answer belongs to the request it was given to, and not to one that comes later. */
const ofOneRequest = /^(x-request-id|x-ratelimit-.*|retry-after)$/i;

/** A key that was taken for a request. */
export type Claim = NonNullable<RequestScope['idempotency']>;

interface StoredAnswer {
  request_hash: Buffer;
  request_id: string;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

/** What distinguishes a request from others of its caller under the same key. */
export interface OnceRequest {
  actor: ApiKeyActor | SessionActor;
  key: string;
  requestId: string;
  /** All that makes the request what it is, in one text. */
  content: string;
  /** Its answer is not stored, and so never given again. */
  answersSecret?: boolean;
}

/** Whose key it is: the column that says so, and its value. Either has an index of its own over that and the key. */
function callerOf({ actor }: OnceRequest): { column: 'api_key_id' | 'user_id'; id: string } {
  return actor.kind === 'apiKey' ? { column: 'api_key_id', id: actor.apiKeyId } : { column: 'user_id', id: actor.userId };
}

/**
 * The request's Idempotency-Key, if it has one.
 *
 * @throws AppError invalid_request for one that is no key
 */
export function idempotencyKeyOf(value: string | null): string | null {
  if (value === null) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(value)) throw invalidFields({ [header]: 'must be 1 to 255 visible ASCII characters' });
  return value;
}

/**
 * Carries a request out once.
 *
 * @param work carries it out, with the record that its transaction settles; gives refusals as answers too
 * @returns its answer, or the one that was given to the same request within the last 24 hours
 * @throws AppError idempotency_mismatch, idempotency_running, idempotency_answer_lost
 */
export async function answerOnce(request: OnceRequest, work: (claimed: Claim) => Promise<HttpAnswer>): Promise<HttpAnswer> {
  const answer = await withLease(`idempotency:${callerOf(request).id}:${request.key}`, async () => {
    const recordId = v7();
    const requestHash = Buffer.from(hash('sha256', request.content, 'hex'), 'hex');
    const since = await claim(request, recordId, requestHash);
    if (since === null) return replay(request, requestHash);
    const made = await work({ recordId, key: request.key, since });
    await keep(recordId, made, request.answersSecret);
    return made;
  });
  if (answer === undefined) {
    throw new AppError('idempotency_running', 'A request with this key is being carried out at this moment.', {
      headers: { 'Retry-After': '1' },
    });
  }
  return answer;
}

/**
 * Takes the key for this request, where it is the first with it, or the first that may count: its day is over, or nothing came of it.
 *
 * @returns when the key was first used; null where it is another request's, or an answered one's
 */
async function claim(request: OnceRequest, recordId: string, requestHash: Buffer): Promise<string | null> {
  const { column, id } = callerOf(request);
  const [claimed] = await rows<{ since: string }>(pool(), {
    isoTimes: true,
    name: `idempotent-request-claim-${column}`,
    text: `INSERT INTO idempotent_requests AS known (id, ${column}, key, request_hash, request_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (${column}, key) DO UPDATE SET id = excluded.id, request_hash = excluded.request_hash,
        request_id = excluded.request_id, is_applied = false, status = NULL, headers = NULL, body = NULL,
        created_at = CASE WHEN known.created_at < now() - interval '24 hours' THEN now() ELSE known.created_at END
      WHERE known.created_at < now() - interval '24 hours'
        OR (known.status IS NULL AND NOT known.is_applied AND known.request_hash = excluded.request_hash)
      RETURNING created_at AS since`,
    values: [recordId, id, request.key, requestHash, request.requestId],
  });
  return claimed?.since ?? null;
}

async function replay(request: OnceRequest, requestHash: Buffer): Promise<HttpAnswer> {
  const { column, id } = callerOf(request);
  const [stored] = await rows<StoredAnswer>(pool(), {
    name: `idempotent-request-answer-${column}`,
    text: `SELECT request_hash, request_id, status, headers, body FROM idempotent_requests WHERE ${column} = $1 AND key = $2`,
    values: [id, request.key],
  });
  if (!stored?.request_hash.equals(requestHash)) {
    throw new AppError('idempotency_mismatch', `Another request was sent with this ${header}. Use a new one.`);
  }
  if (stored.status === null || stored.body === null) {
    throw new AppError('idempotency_answer_lost', answerLost[request.actor.kind], { details: { requestId: stored.request_id } });
  }
  return { status: stored.status, headers: { ...stored.headers, 'Idempotent-Replayed': 'true' }, body: stored.body };
}

const answerLost = {
  apiKey: 'This request was carried out, but its answer was lost when the server stopped. Read what it was about.',
  session: 'This was done the first time, but the answer did not arrive. Reload the page to see it.',
};

/** Characters of the largest answer that is kept. */
const largestAnswer = 256 * 1024;

async function markApplied(recordId: string): Promise<void> {
  await pool()
    .query({
      name: 'idempotent-request-applied',
      text: 'UPDATE idempotent_requests SET is_applied = true WHERE id = $1',
      values: [recordId],
    })
    .catch((error: unknown) => logFailure(error, {}, 'a request could not be marked as carried out'));
}

/** Keeps the answer for who asks again. One that says "not now" is none: the same request may be carried out yet. */
async function keep(recordId: string, { status, headers, cookies = [], body }: HttpAnswer, isSecret = false): Promise<void> {
  if (status >= 500 || status === 429 || typeof body !== 'string') return;
  // Its transaction has marked it: it is known to be done, and no more of it.
  if (status < 300 && (isSecret || cookies.length > 0)) return;
  // So large an answer is not kept for a day: who asks again hears that it was carried out, and reads the thing itself.
  if (body.length > largestAnswer) return markApplied(recordId);
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneRequest.test(name)));
  try {
    await pool().query({
      name: 'idempotent-request-keep',
      text: 'UPDATE idempotent_requests SET status = $2, headers = $3, body = $4 WHERE id = $1',
      values: [recordId, status, JSON.stringify(kept), body],
    });
  } catch (error) {
    // The change is there and its record says so; only who asks again won't get this answer.
    logFailure(error, {}, 'an answer could not be kept for its Idempotency-Key');
  }
}
