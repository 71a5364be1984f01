import * as z from 'zod';
import type { SecurityEventKind } from '@/server/platform/auth/security-log';
import { timestamp, uuid } from '@/server/platform/fields.schema';

/** Kinds of refusals, in the order in which filters list them. */
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
  /** `next` of the previous page. */
  before: uuid.optional(),
  limit: z.int().min(1).max(100).default(50),
});
export type ListSecurityInput = z.output<typeof listSecurityInput>;

/** Events of one cause within one minute. */
const securityEventSchema = z.object({
  id: z.string(),
  kind: z.enum(securityEventKinds),
  reason: z.string(),
  /** The submitted email; null if there was none, or it was malformed. */
  account: z.string().nullable(),
  /** `various` for several addresses that are counted together. */
  address: z.string(),
  /** The beginning of a key, or an operation. */
  subject: z.string().nullable(),
  /** Of the last event. */
  requestId: z.string().nullable(),
  count: z.int(),
  firstAt: timestamp,
  lastAt: timestamp,
});
export type SecurityEventRecord = z.infer<typeof securityEventSchema>;

export const securityListSchema = z.object({
  events: z.array(securityEventSchema),
  /** Start of the next, older page; null on the last one. */
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
