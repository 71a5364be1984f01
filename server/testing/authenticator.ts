import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { CreationOptions, NewCredential, PasskeyAnswer, RequestOptions } from '@/server/features/accounts/passkey.schema';

/** An authenticator in software (WebAuthn Level 3, ES256), with the browser around it. It can also lie. */

interface Passkey {
  id: string;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
  counter: number;
}

/** What differs from what an honest browser and authenticator would send. */
interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Of the client data: `webauthn.get`. */
  type?: string;
  /** False if neither PIN nor fingerprint was asked for. */
  isVerified?: boolean;
  /** Of an answer: the counter that it claims. */
  counter?: number;
  userHandle?: string;
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

const flags = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, hasCredential: 64 };

export class SoftwareAuthenticator {
  readonly passkeys: Passkey[] = [];

  constructor(
    private readonly origin = 'https://desk.example.com',
    /** `counts`: it counts its signatures, as security keys do. `isSynced`: as those of password managers are. */
    private readonly kind: { counts?: boolean; isSynced?: boolean; aaguid?: string } = {},
  ) {}

  private clientData(type: string, challenge: string, lies: Lies): string {
    return JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
      crossOrigin: false,
    });
  }

  private authenticatorData(rpId: string, counter: number, { isVerified = true }: Lies, credential?: Buffer): Buffer {
    const synced = this.kind.isSynced ? flags.backupEligible | flags.backedUp : 0;
    const head = Buffer.alloc(5);
    head[0] = flags.present | (isVerified ? flags.verified : 0) | synced | (credential ? flags.hasCredential : 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), head, ...(credential ? [credential] : [])]);
  }

  /** Makes a passkey and returns what the browser sends of it. */
  create({ challenge, rp, user }: Pick<CreationOptions, 'challenge' | 'rp' | 'user'>, lies: Lies = {}): NewCredential {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const id = randomBytes(32);
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
        [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const aaguid = Buffer.from((this.kind.aaguid ?? '').replaceAll('-', '').padEnd(32, '0'), 'hex');
    const rpId = lies.rpId ?? rp.id;
    const authData = this.authenticatorData(rpId, 0, lies, Buffer.concat([aaguid, length, id, key]));
    const attestation = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, never>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', Uint8Array.from(authData)],
      ]),
    );
    this.passkeys.push({ id: base64url(id), rpId, userHandle: user.id, privateKey, counter: 0 });
    return {
      id: base64url(id),
      response: {
        clientDataJSON: base64url(this.clientData('webauthn.create', challenge, lies)),
        attestationObject: base64url(attestation),
        transports: ['internal', 'hybrid'],
      },
    };
  }

  /** Signs with the newest passkey, or with the given one. */
  answer({ challenge, rpId }: Pick<RequestOptions, 'challenge' | 'rpId'>, lies: Lies = {}, id?: string): PasskeyAnswer {
    const passkey = this.passkeys.findLast((other) => id === undefined || other.id === id);
    if (!passkey) throw new Error('There is no such passkey.');
    if (this.kind.counts) passkey.counter++;
    const clientData = this.clientData('webauthn.get', challenge, lies);
    const authData = this.authenticatorData(lies.rpId ?? rpId, lies.counter ?? passkey.counter, lies);
    return {
      id: passkey.id,
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(clientData)]), passkey.privateKey)),
        userHandle: lies.userHandle ?? passkey.userHandle,
      },
    };
  }
}
