import * as z from 'zod';
import { eventSchema } from '@/server/features/events/event.schema';
import {
  instant,
  nextCursor,
  paging,
  recordId,
  revision,
  text,
  timestamp,
  uuid,
  webAddress,
} from '@/server/platform/fields.schema';

const webhookStatuses = ['active', 'paused', 'disabled'] as const;
/** Why Frontdesk disabled a webhook: it failed for five days, or answered 410. */
export const disabledReasons = ['failing', 'gone'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

const example = {
  id: '0199f3b2-7a10-7c3e-8f55-1d2c3b4a5968',
  url: 'https://hooks.quark.example/frontdesk',
  events: ['customer.*'],
  description: 'Copies customers to the CRM',
  status: 'active' as const,
  failingSince: null,
  revision: 1,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
  disabledReason: null,
};

const webhookFields = z.object({
  id: recordId,
  url: z.string(),
  events: z.array(z.string()),
  description: z.string(),
  status: z.enum(webhookStatuses),
  failingSince: timestamp.nullable().meta({ description: 'The first failed attempt since the last successful one.' }),
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
  disabledReason: z
    .enum(disabledReasons)
    .nullable()
    .meta({ description: '`failing`: it failed for five days. `gone`: it answered 410.' }),
});

export const webhookSchema = webhookFields.meta({ id: 'Webhook', examples: [example] });
export type WebhookRecord = z.output<typeof webhookSchema>;

/** The only answers that contain the secret. */
export const webhookWithSecretSchema = webhookFields
  .extend({ secret: z.string().meta({ description: 'Used to sign deliveries (Standard Webhooks 1.0). Shown only once.' }) })
  .meta({ id: 'WebhookWithSecret', examples: [{ ...example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }] });
export type WebhookWithSecret = z.output<typeof webhookWithSecretSchema>;

export const webhookListSchema = z.object({ webhooks: z.array(webhookSchema), count: z.int() });
export type WebhookList = z.output<typeof webhookListSchema>;

const url = webAddress
  .refine((value) => !URL.canParse(value) || !(new URL(value).username || new URL(value).password), {
    error: 'must have no user name or password in it',
  })
  .meta({
    description: 'http or https. Ports other than 80 and 443 must be allowed by the operator.',
    examples: [example.url],
  });

const events = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(50)
  .meta({ description: 'Types such as `customer.created`, patterns such as `customer.*`, or `*`.', examples: [['customer.*']] });

const description = text(500);

export const createWebhookInput = z.object({ url, events, description: description.default('') });
export type CreateWebhookInput = z.output<typeof createWebhookInput>;

export const webhookIdInput = z.object({ webhookId: uuid });

export const updateWebhookInput = webhookIdInput.extend({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  status: z
    .enum(webhookStatuses)
    .optional()
    .meta({
      description:
        '`active` also enables a disabled webhook. While paused, no deliveries are added and pending ones wait. `disabled` is only ' +
        'accepted if it is disabled already.',
    }),
});
export type UpdateWebhookInput = z.output<typeof updateWebhookInput>;

export const testWebhookInput = webhookIdInput.extend({
  type: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'An event type.', examples: ['customer.created'] }),
});

const deliveryStatus = z.enum(['pending', 'delivered', 'failed']);

const deliveryFields = z.object({
  id: recordId,
  webhookId: recordId,
  eventId: recordId.meta({ description: 'Sent as `webhook-id`, the same for each attempt.' }),
  eventType: z.string(),
  isTest: z.boolean(),
  status: deliveryStatus,
  attemptCount: z.int().meta({ description: 'Attempts since it was last queued.' }),
  nextAttemptAt: timestamp.nullable(),
  error: z.string().nullable().meta({ description: 'Why the last attempt failed, or why there won’t be another.' }),
  revision,
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const deliverySchema = deliveryFields.meta({ id: 'WebhookDelivery' });
export type DeliveryRecord = z.output<typeof deliverySchema>;

const attemptSchema = z
  .object({
    id: recordId,
    startedAt: timestamp,
    durationMs: z.int(),
    status: z.int().nullable().meta({ description: 'The HTTP status of the response; null without one.' }),
    answer: z.string().meta({ description: 'The first 2 kB of the response.' }),
    error: z.string().nullable().meta({ description: 'Null if successful.' }),
  })
  .meta({ id: 'WebhookAttempt' });
export type AttemptRecord = z.output<typeof attemptSchema>;

export const deliveryDetailSchema = deliveryFields
  .extend({
    event: eventSchema.nullable().meta({ description: 'Null if it is no longer kept, or if the key can’t read its object.' }),
    attempts: z.array(attemptSchema).meta({ description: 'Newest first, at most 100.' }),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;

export const listDeliveriesInput = webhookIdInput.extend({
  ...paging({ defaultLimit: 50, maximumLimit: 100 }),
  status: deliveryStatus.optional(),
});
export type ListDeliveriesInput = z.output<typeof listDeliveriesInput>;

export const deliveryListSchema = z.object({
  deliveries: z.array(deliverySchema),
  count: z.int().meta({ description: 'Number of records on this page.' }),
  total: z.int().meta({ description: 'Number of matches; counting stops at 1,000, see `totalIsExact`.' }),
  totalIsExact: z.boolean().meta({ description: 'False if more than `total` match.' }),
  hasMore: z.boolean(),
  nextCursor,
});
export type DeliveryList = z.output<typeof deliveryListSchema>;

export const deliveryIdInput = webhookIdInput.extend({ deliveryId: uuid });

export const recoverInput = webhookIdInput.extend({
  since: instant.meta({ description: 'No earlier than events are kept.' }),
  only: z.enum(['failed', 'missing']).meta({
    description: '`failed`: deliveries that failed since then. `missing`: matching events since then without a delivery.',
  }),
});
export type RecoverInput = z.output<typeof recoverInput>;

export const recoveredSchema = z.object({
  queued: z.int().meta({ description: 'At most 1,000.' }),
  hasMore: z.boolean().meta({ description: 'True if there is more to recover; send the same request again.' }),
});
export type Recovered = z.output<typeof recoveredSchema>;

export const eventTypesSchema = z.object({
  types: z.array(z.object({ type: z.string(), description: z.string(), example: eventSchema })),
  count: z.int(),
});
export type EventTypes = z.output<typeof eventTypesSchema>;
