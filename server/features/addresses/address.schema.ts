import * as z from 'zod';
import { emailAddress, requiredText, text, timestamp } from '@/server/platform/fields.schema';

/** Further addresses and how they are proven (contract section 17). */

export const addressStatuses = ['pending', 'proven', 'contested', 'refused'] as const;

export const addressInput = z.object({ address: emailAddress });

export const confirmAddressCodeInput = z.object({
  address: emailAddress,
  code: z
    .string()
    .transform((code) => code.replace(/[\s-]/g, ''))
    .pipe(z.string().regex(/^\d{8}$/, { error: 'must be the 8 digits of the email' })),
});

export type ConfirmAddressCodeInput = z.output<typeof confirmAddressCodeInput>;

/** How to prove a whole domain. */
const openDomainSchema = z.object({
  name: z.string(),
  /** The expected TXT record. */
  record: z.string(),
  checkedAt: timestamp.nullable(),
  /** Next automatic lookup; null once they have ended. */
  nextCheckAt: timestamp.nullable(),
  problem: z.string().nullable(),
});

const furtherAddressSchema = z.object({
  address: z.string(),
  handle: z.string(),
  description: z.string().nullable(),
  status: z.enum(addressStatuses),
  /** How it was proven; null unless it is. */
  proof: z.enum(['operator', 'setup', 'dns', 'code', 'earlier']).nullable(),
  provenAt: timestamp.nullable(),
  /** The last mailed code, while it can still be entered. */
  code: z.object({ sentAt: timestamp, expiresAt: timestamp, attemptsLeft: z.int() }).nullable(),
  /** Null if the whole domain is proven, or can't be. */
  domain: openDomainSchema.nullable(),
});

export type FurtherAddress = z.output<typeof furtherAddressSchema>;

export const addressListSchema = z.object({
  /** The business' own address, which is always proven; null if it has none. */
  own: z.string().nullable(),
  /** The domain of the own address, where a code has proven that address alone. */
  ownDomain: openDomainSchema.nullable(),
  addresses: z.array(furtherAddressSchema),
  /** Whether codes can be mailed. */
  canSendCodes: z.boolean(),
});

export type AddressList = z.output<typeof addressListSchema>;

/** `admin address verify`. */
export const verifyAddressInput = z.object({ identity: z.string(), address: emailAddress, force: z.boolean().default(false) });

export type VerifyAddressInput = z.output<typeof verifyAddressInput>;

/** `admin address list`. */
export const listAddressesInput = z.object({ identity: z.string().optional(), status: z.enum(addressStatuses).optional() });

export type ListAddressesInput = z.output<typeof listAddressesInput>;

export const addWhitelistedAddressInput = z.object({
  handle: requiredText(63),
  address: emailAddress,
  description: text(300).nullable().optional(),
});

export type AddWhitelistedAddressInput = z.output<typeof addWhitelistedAddressInput>;
