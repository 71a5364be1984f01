import * as z from 'zod';
import { teamRoles } from '@/server/platform/auth/team-roles.schema';
import { emailAddress, recordId, requiredText, text, timestamp, uuid } from '@/server/platform/fields.schema';
import { languages } from '@/server/platform/languages.schema';
import { emailFormats } from '@/server/platform/mail/email-formats.schema';
import { plans } from '../../platform/plan';
import { issuedApiKeySchema } from '../api-keys/api-key.schema';
import { handle } from '../identity/identity.schema';
import { passwordMaximum, passwordMinimum } from './account.limits';
import { passkeyAnswerText } from './passkey.schema';
import { secondFactorCode } from './two-factor.schema';

/** new-password.ts rejects further passwords that are long enough but easy to guess. */
export const password = z.string().min(passwordMinimum).max(passwordMaximum);

export const signInInput = z.object({
  email: emailAddress,
  password: z.string().max(1000),
  code: secondFactorCode.optional(),
  /** The second factor, instead of a code. */
  passkey: passkeyAnswerText.optional(),
});

/** Instead of email and password. */
export const passkeySignInInput = z.object({ passkey: passkeyAnswerText });

export const pendingEmailSchema = z.object({ email: z.string(), expiresAt: timestamp });

export type PendingEmail = z.output<typeof pendingEmailSchema>;

export const accountSchema = z.object({
  user: z.object({
    id: recordId,
    email: z.string(),
    /** What colleagues see; empty: the address. */
    displayName: z.string(),
    /** True if the account holder has proven that the address is theirs. */
    isEmailVerified: z.boolean(),
    /** The address that a link was mailed to and that is not confirmed yet; the current one while its proof is pending. */
    pendingEmail: pendingEmailSchema.nullable(),
    createdAt: timestamp,
    /** IANA name; null until one is chosen. */
    timeZone: z.string().nullable(),
    language: z.enum(languages),
    /** Seconds in which an email sent in the dashboard can be cancelled. */
    undoSeconds: z.int(),
    /** How new emails are written in the dashboard. */
    emailFormat: z.enum(emailFormats),
    /** Of their photo, on this installation; null for none. */
    photoUrl: z.string().nullable(),
  }),
  /** The identity selected in this session; null for a user who is a member of none. */
  identityId: recordId.nullable(),
  identities: z.array(
    z.object({
      id: recordId,
      handle: z.string(),
      displayName: z.string().nullable(),
      plan: z.enum(plans),
      role: z.enum(teamRoles),
    }),
  ),
});

export type Account = z.output<typeof accountSchema>;

export const changePasswordInput = z.object({ currentPassword: z.string().min(1).max(1000), newPassword: password });

export type ChangePasswordInput = z.output<typeof changePasswordInput>;

export const changeEmailInput = z.object({ currentPassword: z.string().min(1).max(1000), email: emailAddress });

export type ChangeEmailInput = z.output<typeof changeEmailInput>;

/** The part of a mailed link behind the `#`. */
const linkToken = z.string().min(1).max(200);

export const linkTokenInput = z.object({ token: linkToken });

/** What a link mailed to a new address does. */
export const emailLinkSchema = z.object({ email: z.string(), currentEmail: z.string() });

export type EmailLink = z.output<typeof emailLinkSchema>;

/** Whether a password can be reset by mail. */
export const recoveryStatusSchema = z.object({ canSendMail: z.boolean() });

export const requestResetInput = z.object({ email: emailAddress });

export type RequestResetInput = z.output<typeof requestResetInput>;

/** The account a link for a new password is for. */
export const passwordLinkSchema = z.object({ email: z.string() });

export type PasswordLink = z.output<typeof passwordLinkSchema>;

export const resetPasswordInput = z.object({ token: linkToken, newPassword: password });

export type ResetPasswordInput = z.output<typeof resetPasswordInput>;

export const switchIdentityInput = z.object({ identityId: uuid });

export const completeSetupInput = z.object({
  token: z.string().max(200),
  email: emailAddress,
  password,
  displayName: requiredText(200),
  handle,
});

export type CompleteSetupInput = z.output<typeof completeSetupInput>;

export const setupResultSchema = issuedApiKeySchema;

export const setupStatusInput = z.object({ token: text(200) });

/** A further business of an owner; the rules are those of the first one. */
export const createOwnIdentityInput = completeSetupInput.pick({ displayName: true, handle: true });

export type CreateOwnIdentityInput = z.output<typeof createOwnIdentityInput>;

export const createdIdentitySchema = z.object({ identityId: recordId });

/** What is deleted along with a business. */
export const identityContentsSchema = z.object({
  handle: z.string(),
  displayName: z.string().nullable(),
  customers: z.int(),
  conversations: z.int(),
  posts: z.int(),
  events: z.int(),
  agents: z.int(),
  apiKeys: z.int(),
});

export type IdentityContents = z.output<typeof identityContentsSchema>;

export const deleteIdentityInput = z.object({
  /** The business' own handle, typed as a confirmation. */
  handle: z.string().trim().min(1).max(100),
});

export type DeleteIdentityInput = z.output<typeof deleteIdentityInput>;

/** Whether this installation still has to be set up, and whether the given link can do it. */
export const setupStatusSchema = z.object({ needed: z.boolean(), valid: z.boolean() });

const whitelistEntry = z
  .string()
  .transform((value) => ({ handle: value.slice(0, value.indexOf('=')).trim(), address: value.slice(value.indexOf('=') + 1) }))
  .pipe(z.object({ handle: requiredText(63), address: emailAddress }, { error: 'must read "handle=address"' }));

/** `admin identity create` (contract section 1). */
export const createIdentityInput = z.object({
  handle,
  ownerEmail: emailAddress,
  /** For a new owner. */
  ownerPassword: password.optional(),
  /** True adds the identity to the account that has this email; without it an existing account is refused. */
  existingOwner: z.boolean().optional(),
  displayName: text(200).optional(),
  address: emailAddress.optional(),
  scope: z.enum(['identity', 'business']).default('identity'),
  plan: z.enum(plans).default('free'),
  whitelist: z.array(whitelistEntry).max(100).default([]),
  /** Takes addresses from identities that already have them. */
  force: z.boolean().optional(),
});

export type CreateIdentityInput = z.output<typeof createIdentityInput>;

/** `admin user set-password`. */
export const setPasswordInput = z.object({ email: emailAddress, password });

export type SetPasswordInput = z.output<typeof setPasswordInput>;

/** `admin user set-email`. */
export const setEmailInput = z.object({ email: emailAddress, newEmail: emailAddress });

export type SetEmailInput = z.output<typeof setEmailInput>;
