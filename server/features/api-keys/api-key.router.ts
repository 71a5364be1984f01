import * as z from 'zod';
import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { apiKeyIdInput, apiKeySchema, createApiKeyInput, issuedApiKeySchema, rotateApiKeyInput } from './api-key.schema';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-key.service';

export const apiKeysRouter = router({
  list: dashboardProcedure
    .meta({ scope: 'keys:write', notForAgents: true })
    .input(z.object({}))
    .output(z.array(apiKeySchema))
    .query(({ ctx }) => listApiKeys(ctx.actor)),

  create: dashboardProcedure
    .meta({ scope: 'keys:write', notForAgents: true, fresh: true, creates: 'secret', events: ['api_key.created'] })
    .input(createApiKeyInput)
    .output(issuedApiKeySchema)
    .mutation(({ ctx, input }) => createApiKey(ctx.actor, input)),

  rotate: dashboardProcedure
    .meta({
      scope: 'keys:write',
      notForAgents: true,
      fresh: true,
      creates: 'secret',
      events: ['api_key.rotated', 'api_key.created'],
    })
    .input(rotateApiKeyInput)
    .output(issuedApiKeySchema)
    .mutation(({ ctx, input }) => rotateApiKey(ctx.actor, input)),

  revoke: dashboardProcedure
    .meta({ scope: 'keys:write', notForAgents: true, fresh: true, events: ['api_key.revoked'] })
    .input(apiKeyIdInput)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => revokeApiKey(ctx.actor, input.id)),
});
