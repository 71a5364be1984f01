import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { identityProcedure, router, successOf } from '@/server/platform/trpc/trpc';
import { deliveryVersion, getDelivery, listDeliveries, replayDelivery, testWebhook } from './delivery.service';
import { listEventTypes } from './event-types.service';
import { recoverDeliveries } from './recover.service';
import {
  createWebhookInput,
  deliveryDetailSchema,
  deliveryIdInput,
  deliveryListSchema,
  deliverySchema,
  eventTypesSchema,
  listDeliveriesInput,
  recoveredSchema,
  recoverInput,
  testWebhookInput,
  updateWebhookInput,
  webhookIdInput,
  webhookListSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from './webhook.schema';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  webhookVersion,
} from './webhook.service';

const tags = ['Webhooks'];
const path = '/webhooks' as const;
const one = `${path}/{webhookId}` as const;

export const webhooksRouter = router({
  list: identityProcedure
    .meta({
      scope: 'webhooks:read',
      notForAgents: true,
      openapi: { method: 'GET', path, tags, summary: 'List webhooks', description: 'Oldest first; at most ten.' },
    })
    .input(z.object({}))
    .output(webhookListSchema)
    .query(({ ctx }) => listWebhooks(ctx.actor)),

  create: identityProcedure
    .meta({
      scope: 'webhooks:write',
      notForAgents: true,
      events: [],
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Create a webhook',
        description:
          'Each matching event is sent by POST as `{type, timestamp, data}`, signed according to Standard Webhooks 1.0. The secret is ' +
          'only in this response and isn’t repeated for the same Idempotency-Key; rotate it if you lose it.',
      },
      rest: { status: 201 },
      fresh: true,
      creates: 'secret',
    })
    .input(createWebhookInput)
    .output(webhookWithSecretSchema)
    .mutation(({ ctx, input }) => createWebhook(ctx.actor, input)),

  get: identityProcedure
    .meta({
      scope: 'webhooks:read',
      notForAgents: true,
      openapi: { method: 'GET', path: one, tags, summary: 'Get a webhook' },
    })
    .input(webhookIdInput)
    .output(webhookSchema)
    .version(webhookVersion)
    .query(({ ctx, input }) => getWebhook(ctx.actor, input.webhookId)),

  update: identityProcedure
    .meta({
      scope: 'webhooks:write',
      notForAgents: true,
      events: [],
      openapi: { method: 'PATCH', path: one, tags, summary: 'Update a webhook', description: 'Only the given fields change.' },
      fresh: true,
    })
    .input(updateWebhookInput)
    .output(webhookSchema)
    .mutation(({ ctx, input }) => updateWebhook(ctx.actor, input)),

  delete: identityProcedure
    .meta({
      scope: 'webhooks:write',
      notForAgents: true,
      events: [],
      openapi: {
        method: 'DELETE',
        path: one,
        tags,
        summary: 'Delete a webhook',
        description: 'Also deletes its deliveries, including pending ones.',
      },
      fresh: true,
    })
    .input(webhookIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(deleteWebhook(ctx.actor, input.webhookId))),

  rotateSecret: identityProcedure
    .meta({
      scope: 'webhooks:write',
      notForAgents: true,
      events: [],
      openapi: {
        method: 'POST',
        path: `${one}/rotate-secret`,
        tags,
        summary: 'Rotate a webhook’s secret',
        description: 'For 24 hours, deliveries are also signed with the old secret.',
      },
      fresh: true,
      creates: 'secret',
    })
    .input(webhookIdInput)
    .output(webhookWithSecretSchema)
    .mutation(({ ctx, input }) => rotateSecret(ctx.actor, input.webhookId)),

  test: identityProcedure
    .meta({
      scope: 'webhooks:write',
      notForAgents: true,
      events: [],
      openapi: {
        method: 'POST',
        path: `${one}/test`,
        tags,
        summary: 'Send a test event',
        description: 'Sends an example event of this type, even if the webhook isn’t subscribed to it.',
      },
      rest: { status: 201, unconditional: true },
      fresh: true,
    })
    .input(testWebhookInput)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => testWebhook(ctx.actor, input.webhookId, input.type)),

  deliveries: identityProcedure
    .meta({
      scope: 'webhooks:read',
      notForAgents: true,
      openapi: { method: 'GET', path: `${one}/deliveries`, tags, summary: 'List deliveries', description: 'Newest first.' },
    })
    .input(listDeliveriesInput)
    .output(deliveryListSchema)
    .query(({ ctx, input }) => listDeliveries(ctx.actor, input)),

  delivery: identityProcedure
    .meta({
      scope: 'webhooks:read',
      notForAgents: true,
      openapi: { method: 'GET', path: `${one}/deliveries/{deliveryId}`, tags, summary: 'Get a delivery with its attempts' },
    })
    .input(deliveryIdInput)
    .output(deliveryDetailSchema)
    .version(deliveryVersion)
    .query(({ ctx, input }) => getDelivery(ctx.actor, input.webhookId, input.deliveryId)),

  replay: identityProcedure
    .meta({
      scope: 'webhooks:write',
      notForAgents: true,
      events: [],
      openapi: {
        method: 'POST',
        path: `${one}/deliveries/{deliveryId}/replay`,
        tags,
        summary: 'Replay a delivery',
        description: 'Whatever its status; with the full number of attempts.',
      },
      fresh: true,
    })
    .input(deliveryIdInput)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => replayDelivery(ctx.actor, input.webhookId, input.deliveryId)),

  recover: identityProcedure
    .meta({
      scope: 'webhooks:write',
      notForAgents: true,
      events: [],
      openapi: {
        method: 'POST',
        path: `${one}/recover`,
        tags,
        summary: 'Recover deliveries',
        description: 'Queues up to 1,000 per call; repeat while `hasMore` is true.',
      },
      rest: { unconditional: true },
      fresh: true,
    })
    .input(recoverInput)
    .output(recoveredSchema)
    .mutation(({ ctx, input }) => recoverDeliveries(ctx.actor, input)),

  eventTypes: identityProcedure
    .meta({
      scope: 'webhooks:read',
      notForAgents: true,
      openapi: {
        method: 'GET',
        path: '/webhook-event-types',
        tags,
        summary: 'List event types',
        description: 'Each with an example.',
      },
    })
    .input(z.object({}))
    .output(eventTypesSchema)
    .query(() => listEventTypes()),
});
