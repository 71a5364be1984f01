import * as z from 'zod';
import { base64, base64BodyMaximum, text } from '@/server/platform/fields.schema';
import { languages } from '@/server/platform/languages.schema';
import { emailFormats } from '@/server/platform/mail/email-formats.schema';
import { photoMaximumBytes, undoChoices } from './account.limits';

/** What is not given stays as it is. */
export const updateProfileInput = z.object({
  /** What colleagues see; empty: the address. */
  displayName: text(100).optional(),
  /** IANA name; null for none. */
  timeZone: z.string().max(100).nullable().optional(),
  language: z.enum(languages).optional(),
  /** Seconds in which an email sent in the dashboard can be cancelled; 0: sent at once. */
  undoSeconds: z.literal(undoChoices).optional(),
  /** How new emails are written in the dashboard. */
  emailFormat: z.enum(emailFormats).optional(),
});

export type UpdateProfileInput = z.output<typeof updateProfileInput>;

/** Maximum body of a request with a photo. */
export const photoBodyMaximumBytes = base64BodyMaximum(photoMaximumBytes);

export const setPhotoInput = z.object({
  content: base64(`The file's bytes in base64: JPEG, PNG or WebP, at most ${photoMaximumBytes / 1024 / 1024} MiB.`),
});

export type SetPhotoInput = z.output<typeof setPhotoInput>;
