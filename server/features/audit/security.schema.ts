import * as z from 'zod';
import type { SecurityEventKind } from '@/server/platform/auth/security-log';
import { uuid } from '@/server/platform/fields.schema';

/** What can be refused, in the order in which filters offer it. */
export const securityEventKinds = [
  'sign_in_failed',
  'sign_in_throttled',
  'confirmation_failed',
  'confirmation_throttled',
  'key_refused',
  'scope_refused',
  'origin_refused',
  'rate_limited',
  'inbound_refused',
] as const satisfies readonly SecurityEventKind[];

export const listSecurityInput = z.object({
  kind: z.enum(securityEventKinds).optional(),
  /** `next` of the page before. */
  before: uuid.optional(),
  limit: z.int().min(1).max(100).default(50),
});
export type ListSecurityInput = z.output<typeof listSecurityInput>;

/** Events of one cause within one minute. */
const securityEventSchema = z.object({
  id: z.string(),
  kind: z.enum(securityEventKinds),
  reason: z.string(),
  /** The e-mail that was given; null where none was, or it was none. */
  account: z.string().nullable(),
  /** `various` for several that are not told apart. */
  address: z.string(),
  /** The beginning of a key, or an operation. */
  subject: z.string().nullable(),
  /** Of the last one. */
  requestId: z.string().nullable(),
  count: z.int(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
});
export type SecurityEventRecord = z.infer<typeof securityEventSchema>;

export const securityListSchema = z.object({
  events: z.array(securityEventSchema),
  /** Where the next, older page begins; null where there is none. */
  next: z.string().nullable(),
});
export type SecurityList = z.infer<typeof securityListSchema>;

/** `admin security list`. */
export const operatorSecurityInput = z.object({
  kind: z.enum(securityEventKinds).optional(),
  before: uuid.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
export type OperatorSecurityInput = z.output<typeof operatorSecurityInput>;
