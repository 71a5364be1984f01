import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { authSecret } from '@/server/platform/auth/session-token';
import { pool } from '@/server/platform/db/pool';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { rows } from '@/server/platform/db/sql';

/**
 * The challenges that passkeys sign. They are signed by us and stored only once they are answered, so that strangers who open the
 * sign-in page write nothing to the database (docs/adr/0027).
 */

/** Seconds in which a challenge may be answered. */
export const challengeSeconds = 300;

/** What a challenge is for. One for another purpose, or for another session, is worthless. */
export type ChallengePurpose = { kind: 'sign_in' } | { kind: 'add' | 'confirm'; sessionId: string };

/** `wrong`: not ours, or for another purpose. */
export type ChallengeOutcome = 'valid' | 'wrong' | 'expired' | 'used';

/** Format: expiry in Unix seconds, random bytes, HMAC-SHA256. */
const expiryBytes = 4;
const randomLength = 16;
const bodyLength = expiryBytes + randomLength;

function signatureOf(body: Uint8Array, purpose: ChallengePurpose): Buffer {
  const key = Buffer.from(hkdfSync('sha256', authSecret(), '', 'frontdesk passkey challenge', 32));
  const session = 'sessionId' in purpose ? purpose.sessionId : '';
  return createHmac('sha256', key).update(body).update(`${purpose.kind}\n${session}`).digest();
}

/** Unix seconds by the database's clock, which all servers share. */
async function databaseNow(): Promise<number> {
  const [row] = await rows<{ now: number }>(pool(), {
    name: 'passkey-clock',
    text: 'SELECT extract(epoch FROM now())::float8 AS now',
    values: [],
  });
  return row?.now ?? 0;
}

/** A new challenge, in base64url. */
export async function issueChallenge(purpose: ChallengePurpose, seconds = challengeSeconds): Promise<string> {
  const body = Buffer.concat([Buffer.alloc(expiryBytes), randomBytes(randomLength)]);
  body.writeUInt32BE(Math.floor(await databaseNow()) + seconds);
  return Buffer.concat([body, signatureOf(body, purpose)]).toString('base64url');
}

/** The challenge that a browser says was signed; whether it was is checked with the signature. */
function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/**
 * Uses the challenge of an answer up, whatever becomes of the answer. Of several answers at the same time, one finds it valid.
 *
 * @returns the challenge as well, which the signature has to be for
 */
export async function consumeChallenge(
  clientDataJSON: string,
  purpose: ChallengePurpose,
): Promise<{ challenge: string; outcome: ChallengeOutcome }> {
  const challenge = challengeIn(clientDataJSON);
  return { challenge, outcome: await consume(Buffer.from(challenge, 'base64url'), purpose) };
}

async function consume(bytes: Buffer, purpose: ChallengePurpose): Promise<ChallengeOutcome> {
  const body = bytes.subarray(0, bodyLength);
  const [given, expected] = [bytes.subarray(bodyLength), signatureOf(body, purpose)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'wrong';
  const expiresAt = body.readUInt32BE();
  const now = await databaseNow();
  // One from a clock that was ahead is not valid for longer than others.
  if (expiresAt <= now || expiresAt > now + challengeSeconds + 60) return 'expired';
  const taken = await rows(pool(), {
    name: 'passkey-challenge-use',
    text: 'INSERT INTO used_passkey_challenges (hash, expires_at) VALUES ($1, to_timestamp($2)) ON CONFLICT DO NOTHING RETURNING 1',
    values: [createHash('sha256').update(bytes).digest(), expiresAt],
  });
  return taken.length > 0 ? 'valid' : 'used';
}

/** Removes used challenges a day after their end, so that a clock set back by less makes none of them new. */
export async function removeUsedChallenges(signal?: AbortSignal): Promise<void> {
  await removeInBatches({ table: 'used_passkey_challenges', condition: "expires_at < now() - interval '1 day'", signal });
}
