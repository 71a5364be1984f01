import * as z from 'zod';
import { emailAddress, timestamp } from '@/server/platform/fields.schema';

/** A code as typed: six digits of an authenticator app with any spacing, or a recovery code. */
export const secondFactorCode = z.string().trim().max(100);

export const twoFactorStatusSchema = z.object({
  /** When the authenticator app was turned on; null while it is off. */
  enabledAt: timestamp.nullable(),
  /** True if signing in with the password asks for a passkey, too. */
  hasPasskeys: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** False if the server can no longer read the app's secret because AUTH_SECRET changed: only recovery codes work then. */
  isReadable: z.boolean(),
});

export type TwoFactorStatus = z.output<typeof twoFactorStatusSchema>;

/** The data for setting up an authenticator app. */
export const twoFactorSetupSchema = z.object({
  /** In Base32, for typing it in. */
  secret: z.string(),
  uri: z.string(),
  /** The same data as a QR code: an SVG document. */
  qrCode: z.string(),
});

export const enableTwoFactorInput = z.object({
  code: z
    .string()
    .transform((typed) => typed.replace(/\s/g, ''))
    .pipe(z.string().regex(/^[0-9]{6}$/, { error: 'must be the six digits that the app shows' })),
});

export type EnableTwoFactorInput = z.output<typeof enableTwoFactorInput>;

/** Shown once. */
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });

/** Confirms the user's identity in the middle of a session. */
export const confirmSignInInput = z.object({
  currentPassword: z.string().min(1).max(1000),
  /** If two-factor sign-in is on. */
  code: secondFactorCode.optional(),
});

export type ConfirmSignInInput = z.output<typeof confirmSignInInput>;

/** `admin user reset-two-factor`. */
export const resetTwoFactorInput = z.object({ email: emailAddress });
