import type { AuthenticationResponseJSON, VerifiedAuthenticationResponse } from '@simplewebauthn/server';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { PasskeyAnswer, RequestOptions } from './passkey.schema';
import { type ChallengePurpose, challengeSeconds, consumeChallenge, issueChallenge } from './passkey-challenge';
import { relyingParty } from './relying-party';

/** Checking what a passkey has signed, for every use of it: signing in, the second step, and confirming. */

/**
 * - `unknown`: no account has it, or not the account in question
 * - `wrong`: not signed by it, for another site or purpose, or without verifying the person
 * - `expired`, `used`: the challenge
 * - `cloned`: its counter went back, so another copy of it exists
 */
export type PasskeyRefusal = 'unknown' | 'wrong' | 'expired' | 'used' | 'cloned';

/** A passkey with its account, by the id that a browser has sent. */
export interface FoundPasskey {
  id: string;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  user: { id: string; email: string; sessionEpoch: number };
}

/** The passkey of this credential id; null if no account has it. The account's epoch is read with it: removing it raises that. */
export async function findPasskey(credentialId: string): Promise<FoundPasskey | null> {
  const [row] = await rows<{ id: string; public_key: Buffer; user_id: string; email: string; session_epoch: number }>(pool(), {
    name: 'passkey',
    text: `SELECT p.id, p.public_key, p.user_id, u.email, u.session_epoch FROM passkeys p JOIN users u ON u.id = p.user_id
      WHERE p.credential_id = $1`,
    values: [Buffer.from(credentialId, 'base64url')],
  });
  if (!row) return null;
  const user = { id: row.user_id, email: row.email, sessionEpoch: row.session_epoch };
  return { id: row.id, credentialId, publicKey: Uint8Array.from(row.public_key), user };
}

/** Options for the browser to ask a passkey. Without `allowCredentials`, any that it has for this site. */
export async function requestOptions(
  purpose: ChallengePurpose,
  allowCredentials: RequestOptions['allowCredentials'] = [],
): Promise<RequestOptions> {
  return {
    challenge: await issueChallenge(purpose),
    rpId: relyingParty().id,
    timeout: challengeSeconds * 1000,
    userVerification: 'required',
    allowCredentials,
  };
}

/**
 * Checks an answer, uses its challenge up and notes the use. The authenticator must have verified the person, so a passkey is
 * two factors: the device, and its PIN or a fingerprint.
 */
export async function checkAnswer(
  passkey: FoundPasskey,
  answer: PasskeyAnswer,
  purpose: ChallengePurpose,
): Promise<'passed' | PasskeyRefusal> {
  const { userHandle } = answer.response;
  if (userHandle && userHandle !== userHandleOf(passkey.user.id)) return 'wrong';
  const { challenge, outcome } = await consumeChallenge(answer.response.clientDataJSON, purpose);
  if (outcome !== 'valid') return outcome;
  const signed = await verified(passkey, answer, challenge);
  return signed ? noteUse(passkey.id, signed.newCounter, signed.credentialBackedUp) : 'wrong';
}

/** What the authenticator has signed; null if it has not, or not for us. */
async function verified(
  { credentialId, publicKey }: FoundPasskey,
  answer: PasskeyAnswer,
  challenge: string,
): Promise<VerifiedAuthenticationResponse['authenticationInfo'] | null> {
  // Loaded with the first passkey: parsers of certificates that would slow down the start.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { id: rpId, origin } = relyingParty();
  try {
    const result = await verifyAuthenticationResponse({
      response: responseOf(answer),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // Counters are compared where they are stored, in one statement.
      credential: { id: credentialId, publicKey, counter: 0 },
    });
    return result.verified ? result.authenticationInfo : null;
  } catch {
    // The library throws for whatever is wrong with an answer.
    return null;
  }
}

function responseOf({ id, response }: PasskeyAnswer): AuthenticationResponseJSON {
  const { userHandle, ...signed } = response;
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { ...signed, ...(userHandle ? { userHandle } : {}) },
  };
}

/** How authenticators name an account: by its id, which says nothing of the person. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Stores the counter, unless it went back. Authenticators that do not count always send 0. */
async function noteUse(id: string, counter: number, isBackedUp: boolean): Promise<'passed' | PasskeyRefusal> {
  const noted = await rows(pool(), {
    name: 'passkey-use',
    text: `UPDATE passkeys SET counter = greatest(counter, $2), last_used_at = now(), is_backed_up = $3
      WHERE id = $1 AND (counter = 0 OR $2 = 0 OR counter < $2) RETURNING 1`,
    values: [id, counter, isBackedUp],
  });
  if (noted.length > 0) return 'passed';
  const left = await rows(pool(), { name: 'passkey-left', text: 'SELECT 1 FROM passkeys WHERE id = $1', values: [id] });
  return left.length > 0 ? 'cloned' : 'unknown';
}
