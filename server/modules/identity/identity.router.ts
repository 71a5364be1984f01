import { dashboardProcedure, identityProcedure, router } from '@/server/api/trpc';
import {
  addWhitelistedAddressInput,
  getIdentityInput,
  identitySchema,
  removeWhitelistedAddressInput,
  updateIdentityInput,
} from './identity.schema';
import { addWhitelistedAddress, getIdentity, removeWhitelistedAddress, updateIdentity } from './identity.service';

const tags = ['Identity'];

export const identityRouter = router({
  get: identityProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/identity',
        tags,
        summary: 'Get the identity of this key',
        description: 'With `conversationId` or `messageId`, also the address to reply from in that conversation.',
      },
      rest: { errors: [404] },
    })
    .input(getIdentityInput)
    .output(identitySchema)
    .query(({ ctx, input }) => getIdentity(ctx.actor, input)),

  update: identityProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/identity',
        tags,
        summary: 'Change the identity',
        description:
          'Only supplied fields change. Inside a supplied `profile`, a field sent as null or left out is removed; with ' +
          '`Content-Type: application/merge-patch+json` a left-out field stays. `services` replaces the list: an item with a ' +
          'known `id` is that service, one without gets an id.',
      },
      rest: { acceptsMergePatch: true, errors: [404] },
    })
    .input(updateIdentityInput)
    .output(identitySchema)
    .mutation(({ ctx, input }) => updateIdentity(ctx.actor, input, ctx.patchSemantics)),

  addAddress: dashboardProcedure
    .meta({ fresh: true })
    .input(addWhitelistedAddressInput)
    .output(identitySchema)
    .mutation(({ ctx, input }) => addWhitelistedAddress(ctx.actor, input)),

  removeAddress: dashboardProcedure
    .meta({ fresh: true })
    .input(removeWhitelistedAddressInput)
    .output(identitySchema)
    .mutation(({ ctx, input }) => removeWhitelistedAddress(ctx.actor, input.address)),
});
