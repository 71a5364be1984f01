import * as z from 'zod';
import { recordId, requiredText, timestamp, uuid } from '@/server/platform/fields.schema';

/** Passkeys of one account; more than anyone has devices. */
export const passkeysMaximum = 20;

const base64url = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be base64url' });

/** WebAuthn allows ids of up to 1023 bytes. */
const credentialId = base64url(1364);

/** What `navigator.credentials.create` returns, as far as the server reads it. */
export const newCredentialSchema = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(12_000),
    transports: z.array(z.string().max(50)).max(20).optional(),
  }),
});
export type NewCredential = z.output<typeof newCredentialSchema>;

/** What `navigator.credentials.get` returns, as far as the server reads it. */
export const passkeyAnswerSchema = z.object({
  id: credentialId,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(2000),
    /** The account that the authenticator has it for. */
    userHandle: base64url(100).nullish(),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswerSchema>;

/** The same as text, as next-auth takes it: its fields are flat. */
export const passkeyAnswerText = z
  .string()
  .max(12_000)
  .transform((text, { addIssue }) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      addIssue('must be JSON');
      return z.NEVER;
    }
  })
  .pipe(passkeyAnswerSchema);

export const addPasskeyInput = z.object({ credential: newCredentialSchema });
export const passkeyAnswerInput = z.object({ answer: passkeyAnswerSchema });

const descriptorSchema = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) });

/** Options of `navigator.credentials.create`, in their JSON form. */
export const creationOptionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptorSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type CreationOptions = z.output<typeof creationOptionsSchema>;

/** Options of `navigator.credentials.get`, in their JSON form. */
export const requestOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** Empty: any that the authenticator has for this site. */
  allowCredentials: z.array(descriptorSchema),
});
export type RequestOptions = z.output<typeof requestOptionsSchema>;

const passkeySchema = z.object({
  id: recordId,
  name: z.string(),
  /** True if its provider has copied it to other devices. */
  isSynced: z.boolean(),
  /** The host name it works for, if that is not the present one. */
  otherHost: z.string().nullable(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});
export type PasskeyRecord = z.output<typeof passkeySchema>;

export const passkeyListSchema = z.object({
  /** False where browsers don't allow passkeys: they need https and a host name. */
  isPossible: z.boolean(),
  /** The only origin where they work. */
  origin: z.string(),
  passkeys: z.array(passkeySchema),
});
export type PasskeyList = z.output<typeof passkeyListSchema>;

/** Where passkeys sign in: the only origin; null where browsers don't allow any. */
export const passkeyOriginSchema = z.object({ origin: z.string().nullable() });

export const addedPasskeySchema = z.object({
  name: z.string(),
  /** Shown once. Null if the account has some already. */
  recoveryCodes: z.array(z.string()).nullable(),
});
export type AddedPasskey = z.output<typeof addedPasskeySchema>;

export const renamePasskeyInput = z.object({ id: uuid, name: requiredText(100) });
export type RenamePasskeyInput = z.output<typeof renamePasskeyInput>;

export const passkeyIdInput = z.object({ id: uuid });
