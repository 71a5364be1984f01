import * as z from 'zod';
import { instant, timestamp, uuid } from '@/server/platform/fields.schema';

/** Audited resource kinds, as named by the triggers of migration `audit`. */
export const auditedResources = [
  'account',
  'address',
  'agent',
  'api_key',
  'blocked_sender',
  'blog',
  'calendar_feed',
  'contact',
  'conversation',
  'customer',
  'escalation_route',
  'event',
  'identity',
  'invitee',
  'label',
  'mail',
  'mailbox',
  'mailbox_client',
  'message',
  'note',
  'oidc_account',
  'passkey',
  'picture',
  'post',
  'quarantined_mail',
  'session',
  'snippet',
  'two_factor',
  'webhook',
  'membership',
  'invitation',
] as const;

export const auditActions = ['created', 'updated', 'deleted'] as const;

/** `agent` finds everything done by an agent or in its name, `key` everything done with an API key. */
const auditAuthors = ['owner', 'key', 'agent', 'system', 'database'] as const;

export const listAuditInput = z.object({
  resource: z.enum(auditedResources).optional(),
  action: z.enum(auditActions).optional(),
  author: z.enum(auditAuthors).optional(),
  /** One API key. */
  apiKeyId: uuid.optional(),
  /** The history of one resource and its parts. */
  resourceId: z.string().min(1).max(100).optional(),
  /** Words of the record's name, or a whole request id as in `requestId`. */
  search: z.string().trim().min(1).max(200).optional(),
  /** The server's or the client's request id. */
  requestId: z.string().min(1).max(200).optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** `next` of the previous page. */
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
  limit: z.int().min(1).max(100).default(50),
});
export type ListAuditInput = z.output<typeof listAuditInput>;

const auditChangeSchema = z.object({
  field: z.string(),
  /** Null if the value was empty, and for a created resource. */
  before: z.json(),
  after: z.json(),
});
export type AuditChange = z.infer<typeof auditChangeSchema>;

export const auditEntrySchema = z.object({
  id: z.string(),
  occurredAt: timestamp,
  author: z.object({
    /** `agent` if it was done with the key of an agent. */
    kind: z.enum(['owner', 'key', 'agent', 'system', 'database']),
    id: z.string().nullable(),
    /** The person's name or email, the key's or agent's name; for the system, what it acted for. */
    name: z.string().nullable(),
    /** The agent's key. */
    key: z.object({ id: z.string(), name: z.string() }).optional(),
  }),
  /** In whose name it was done. */
  agent: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** Assigned by the server. */
  requestId: z.string().nullable(),
  /** Chosen by the client. */
  clientRequestId: z.string().nullable(),
  resource: z.enum(auditedResources),
  resourceId: z.string(),
  parentId: z.string().nullable(),
  label: z.string(),
  action: z.enum(auditActions),
  changes: z.array(auditChangeSchema),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditListSchema = z.object({
  entries: z.array(auditEntrySchema),
  /** Start of the next, older page; null on the last one. A page may have few entries, or none, and still a next one. */
  next: z.string().nullable(),
  /** For how many days entries are kept; 0: for ever. */
  retentionDays: z.int(),
});
export type AuditList = z.infer<typeof auditListSchema>;
