import type { VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { AppError } from '@/server/platform/errors';
import type { CreationOptions, NewCredential } from './passkey.schema';
import { userHandleOf } from './passkey-answer';
import {
  type ChallengeOutcome,
  type ChallengePurpose,
  challengeSeconds,
  consumeChallenge,
  issueChallenge,
} from './passkey-challenge';
import { relyingParty } from './relying-party';

/** Making a passkey: the options for the browser, and the check of what it returns. */

/** ES256, EdDSA and RS256, which every authenticator has one of. */
const algorithms = [-7, -8, -257];

const knownTransports: ReadonlySet<string> = new Set(['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal', 'cable']);

/** A new passkey as it is stored. */
export interface CheckedCredential {
  credentialId: Uint8Array<ArrayBuffer>;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  transports: string[];
  rpId: string;
  aaguid: string;
  isBackupEligible: boolean;
  isBackedUp: boolean;
}

/** Options for the browser. `known` are passkeys that the authenticator must not have already. */
export async function creationOptions(
  user: { id: string; email: string },
  purpose: ChallengePurpose,
  known: CreationOptions['excludeCredentials'],
): Promise<CreationOptions> {
  return {
    challenge: await issueChallenge(purpose),
    rp: { id: relyingParty().id, name: 'Frontdesk' },
    user: { id: userHandleOf(user.id), name: user.email, displayName: user.email },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout: challengeSeconds * 1000,
    excludeCredentials: known,
    // Discoverable, so that signing in needs no email, and with a PIN or fingerprint, so that it needs no password.
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

const problems: Record<Exclude<ChallengeOutcome, 'valid'>, string> = {
  wrong: 'The passkey could not be verified. Open Frontdesk at its usual address and try again.',
  expired: 'Adding the passkey took too long. Try again.',
  used: 'This passkey was already sent. Reload the page to see your passkeys.',
};

/** @throws AppError invalid_request for a credential that is malformed, for another site, or made without verifying the person */
export async function checkCredential({ id, response }: NewCredential, purpose: ChallengePurpose): Promise<CheckedCredential> {
  const { challenge, outcome } = await consumeChallenge(response.clientDataJSON, purpose);
  if (outcome !== 'valid') throw new AppError('invalid_request', problems[outcome]);
  const info = await verified({ id, response }, challenge);
  if (info?.credential.id !== id) throw new AppError('invalid_request', problems.wrong);
  return {
    credentialId: Uint8Array.from(Buffer.from(id, 'base64url')),
    publicKey: Uint8Array.from(info.credential.publicKey),
    counter: BigInt(info.credential.counter),
    transports: [...new Set(response.transports?.filter((transport) => knownTransports.has(transport)))],
    rpId: relyingParty().id,
    aaguid: info.aaguid,
    isBackupEligible: info.credentialDeviceType === 'multiDevice',
    isBackedUp: info.credentialBackedUp,
  };
}

/** The credential; null if it is malformed or not for us. */
async function verified(
  { id, response: { clientDataJSON, attestationObject } }: NewCredential,
  challenge: string,
): Promise<VerifiedRegistrationResponse['registrationInfo'] | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { id: rpId, origin } = relyingParty();
  try {
    const result = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject: await withoutStatement(attestationObject) },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    return result.verified ? result.registrationInfo : null;
  } catch {
    // The library throws for whatever is wrong with a credential.
    return null;
  }
}

/**
 * The attestation object without its statement about the authenticator's maker. We ask for none, and must not follow addresses
 * in the certificates of one that was sent anyway.
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  return isoBase64URL.fromBuffer(
    isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, never>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', authData],
      ]),
    ),
  );
}
