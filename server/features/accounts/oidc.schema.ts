import * as z from 'zod';
import { timestamp } from '@/server/platform/fields.schema';
import { passkeyAnswerSchema } from './passkey.schema';
import { secondFactorCode } from './two-factor.schema';

/**
 * Why single sign-on did not succeed; `app/_kit/single-sign-on-messages.ts` explains each to people.
 * - `state`: the answer belongs to no request of this browser, or was used before, or came too late
 * - `nonce`, `token`: the ID token is for another request, forged, expired or of another person
 * - `provider`: it can't be reached, or answers what can't be read
 * - `denied`: it refused, or the person cancelled
 * - `domain`: no verified email address of the allowed domains
 * - `not_linked`: there is an account with this email, which has to be connected by its holder
 * - `invitation`: there is no account, and nobody joins on their own
 * - `unverified`: joining needs an email address that the provider has verified
 * - `join`: the business that OIDC_AUTO_JOIN names does not exist, or has no room
 * - `invitation_other`, `invitation_over`: the invitation is for another address, or no longer works
 * - `taken`, `connected`: one of the two accounts is connected to another
 * - `session`: the browser has another session than the one that began
 * - `other_account`: confirmed with an account that is not the connected one
 * - `stale`: the provider did not ask the person to sign in again
 */
export const singleSignOnRefusals = [
  'state',
  'nonce',
  'token',
  'provider',
  'denied',
  'domain',
  'not_linked',
  'invitation',
  'unverified',
  'join',
  'invitation_other',
  'invitation_over',
  'taken',
  'connected',
  'session',
  'other_account',
  'stale',
  'throttled',
] as const;

export type SingleSignOnRefusal = (typeof singleSignOnRefusals)[number];

/** The ways to sign in that the sign-in page offers. */
export const signInOptionsSchema = z.object({
  /** The host of the OpenID Connect provider; null without one. */
  singleSignOn: z.string().nullable(),
  /** False: a password works only together with a recovery code. */
  hasPasswordSignIn: z.boolean(),
});

export type SignInOptions = z.output<typeof signInOptionsSchema>;

export const singleSignOnStatusSchema = z.object({
  /** The host of the provider; null if single sign-on is not set up. */
  provider: z.string().nullable(),
  /** The provider's account that signs in to this one. */
  connection: z.object({ email: z.string().nullable(), connectedAt: timestamp, lastUsedAt: timestamp }).nullable(),
  /** False for an account that was created by single sign-on and has set no password. */
  hasPassword: z.boolean(),
});

export type SingleSignOnStatus = z.output<typeof singleSignOnStatusSchema>;

/** A page of the dashboard that the provider leads back to. */
const returnTo = z.string().max(2000);

export const connectInput = z.object({ returnTo });

export type ConnectInput = z.output<typeof connectInput>;

export const confirmByProviderInput = z.object({
  returnTo,
  /** If two-factor sign-in is on. */
  code: secondFactorCode.optional(),
});

export type ConfirmByProviderInput = z.output<typeof confirmByProviderInput>;

/** The token of an invitation's link. */
export const joinByProviderInput = z.object({ token: z.string().min(1).max(200) });

export type JoinByProviderInput = z.output<typeof joinByProviderInput>;

/** Where the browser goes next: the provider's page. */
export const providerPageSchema = z.object({ url: z.string() });

/** The second step of single sign-on, for an account with a second factor: one of the two. */
export const secondStepInput = z.object({ code: secondFactorCode.optional(), passkey: passkeyAnswerSchema.optional() });

export type SecondStepInput = z.output<typeof secondStepInput>;
