import { hash } from 'node:crypto';
import { v7 } from 'uuid';
import type { ActorRequest, ApiKeyActor, SessionActor } from '@/server/platform/actor';
import { withLease } from '@/server/platform/db/lease';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { AppError, invalidFields } from '@/server/platform/errors';
import { logFailure } from '@/server/platform/outage-log';

/**
 * Idempotent requests (docs/adr/0012). The first request with a key is carried out and its response stored; a repeated request
 * gets that response. The process that carries it out holds its lease, so if it dies the request is released immediately. The
 * change's transaction marks the record (`settleIdempotency`), so a committed change is never repeated, even if the response
 * was lost.
 */

const header = 'Idempotency-Key';

/** Headers of a response that are specific to one request, and not replayed. */
const perRequestHeaders = /^(x-request-id|x-ratelimit-.*|retry-after)$/i;

/** An idempotency record claimed for a request. */
type Claim = NonNullable<ActorRequest['idempotency']>;

interface StoredAnswer {
  request_hash: Buffer;
  request_id: string;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

/** A response as it is kept. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  cookies?: string[];
  /** Only text is kept. */
  body: unknown;
}

/** A request to carry out once, and how its transport's answers are kept. */
export interface Once<Answer> {
  actor: ApiKeyActor | SessionActor;
  key: string;
  requestId: string;
  /** The complete request as one text. */
  content: string;
  /** The response contains a secret, so it is neither stored nor replayed. */
  answersSecret: boolean;
  keep(answer: Answer): KeptAnswer;
  replay(kept: KeptAnswer): Answer;
}

/** What identifies a request among others of its caller with the same key. */
type Request = Omit<Once<unknown>, 'keep' | 'replay'>;

/** The key's owner: column and value. Each column has an index with the key. */
function callerOf({ actor }: Request): { column: 'api_key_id' | 'user_id'; id: string } {
  return actor.kind === 'apiKey' ? { column: 'api_key_id', id: actor.apiKeyId } : { column: 'user_id', id: actor.userId };
}

/** The Idempotency-Key of a header. @throws AppError invalid_request */
export function idempotencyKeyOf(value: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(value)) throw invalidFields({ [header]: 'must be 1 to 255 visible ASCII characters' });
  return value;
}

/**
 * Carries out a request once.
 * @param work carries it out, with the record that its transaction settles; returns errors as responses too
 * @returns its response, or the stored one of the same request within the last 24 hours
 * @throws AppError idempotency_mismatch, idempotency_running, idempotency_answer_lost
 */
export async function answerOnce<Answer>(request: Once<Answer>, work: (claimed: Claim) => Promise<Answer>): Promise<Answer> {
  const answer = await withLease(`idempotency:${callerOf(request).id}:${request.key}`, async () => {
    const recordId = v7();
    const requestHash = Buffer.from(hash('sha256', request.content, 'hex'), 'hex');
    const since = await claim(request, recordId, requestHash);
    if (since === null) return request.replay(await findKept(request, requestHash));
    const made = await work({ recordId, key: request.key, since });
    await storeResponse(recordId, request.keep(made), request.answersSecret);
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
 * Claims the key for this request, if it is new, or its previous use expired or had no effect.
 * @returns when the key was first used; null if it belongs to another request, or has a response
 */
async function claim(request: Request, recordId: string, requestHash: Buffer): Promise<string | null> {
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

async function findKept(request: Request, requestHash: Buffer): Promise<KeptAnswer> {
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

/** Maximum stored response, in characters. */
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

/** Stores the response for repeated requests, except temporary errors, after which the request may still be carried out. */
async function storeResponse(
  recordId: string,
  { status, headers, cookies = [], body }: KeptAnswer,
  isSecret: boolean,
): Promise<void> {
  if (status >= 500 || status === 429 || typeof body !== 'string') return;
  // The transaction has already marked it as carried out; the response must not be stored.
  if (status < 300 && (isSecret || cookies.length > 0)) return;
  // Too large to store: a repeated request is told that it was carried out, and the client reads the resource instead.
  if (body.length > largestAnswer) return markApplied(recordId);
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !perRequestHeaders.test(name)));
  try {
    await pool().query({
      name: 'idempotent-request-keep',
      text: 'UPDATE idempotent_requests SET status = $2, headers = $3, body = $4 WHERE id = $1',
      values: [recordId, status, JSON.stringify(kept), body],
    });
  } catch (error) {
    // The change is committed and recorded; only the response can't be replayed.
    logFailure(error, {}, 'an answer could not be kept for its Idempotency-Key');
  }
}
