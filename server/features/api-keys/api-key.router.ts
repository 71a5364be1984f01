import * as z from 'zod';
import { dashboardProcedure, router } from '@/server/platform/trpc/trpc';
import { apiKeyIdInput, apiKeySchema, createApiKeyInput, issuedApiKeySchema, rotateApiKeyInput } from './api-key.schema';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-key.service';

export const apiKeysRouter = router({
  list: dashboardProcedure
    .input(z.object({}))
    .output(z.array(apiKeySchema))
    .query(({ ctx }) => listApiKeys(ctx.actor)),

  create: dashboardProcedure
    .meta({ fresh: true, creates: 'secret' })
    .input(createApiKeyInput)
    .output(issuedApiKeySchema)
    .mutation(({ ctx, input }) => createApiKey(ctx.actor, input)),

  rotate: dashboardProcedure
    .meta({ fresh: true, creates: 'secret' })
    .input(rotateApiKeyInput)
    .output(issuedApiKeySchema)
    .mutation(({ ctx, input }) => rotateApiKey(ctx.actor, input)),

  revoke: dashboardProcedure
    .meta({ fresh: true })
    .input(apiKeyIdInput)
    .output(apiKeySchema)
    .mutation(({ ctx, input }) => revokeApiKey(ctx.actor, input.id)),
});
