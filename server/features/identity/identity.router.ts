import * as z from 'zod';
import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import {
  addressInput,
  addressListSchema,
  addWhitelistedAddressInput,
  confirmAddressCodeInput,
} from '../addresses/address.schema';
import { confirmAddressCode, sendAddressCode } from '../addresses/address-code.service';
import { checkDomainNow } from '../addresses/domain-proof.service';
import {
  addWhitelistedAddress,
  listAddresses,
  removeWhitelistedAddress,
  useAsOwnAddress,
} from '../addresses/further-address.service';
import { identitySchema } from '../addresses/identity-record.schema';
import { identityVersion } from '../addresses/identity-record.service';
import { getIdentityInput, updateIdentityInput } from './identity.schema';
import { getIdentity, updateIdentity } from './identity.service';

const tags = ['Identity'];

export const identityRouter = router({
  get: identityProcedure
    .meta({
      scope: 'identity:read',
      openapi: {
        method: 'GET',
        path: '/identity',
        tags,
        summary: 'Get the identity',
        description: 'With `conversationId` or `messageId`, also returns the address to reply from in that conversation.',
      },
      rest: { errors: [404] },
    })
    .input(getIdentityInput)
    .output(identitySchema)
    .version(identityVersion)
    .query(({ ctx, input }) => getIdentity(ctx.actor, input)),

  update: identityProcedure
    .meta({
      scope: 'identity:write',
      openapi: {
        method: 'PATCH',
        path: '/identity',
        tags,
        summary: 'Update the identity',
        description:
          'Only the given fields change. Within `profile`, omitted and null fields are removed; with `Content-Type: ' +
          'application/merge-patch+json`, omitted fields are kept. `services` replaces the list: items with a known `id` keep it, others ' +
          'get a new one.',
      },
      rest: { acceptsMergePatch: true, errors: [404] },
      events: ['identity.updated'],
    })
    .input(updateIdentityInput)
    .output(identitySchema)
    .mutation(({ ctx, input }) => updateIdentity(ctx.actor, input, ctx.patchSemantics)),

  addAddress: dashboardProcedure
    .meta({ scope: 'identity:write', fresh: true, creates: 'record', events: ['identity.updated'] })
    .input(addWhitelistedAddressInput)
    .output(identitySchema)
    .mutation(async ({ ctx, input }) => {
      await addWhitelistedAddress(ctx.actor, input);
      return getIdentity(ctx.actor);
    }),

  removeAddress: dashboardProcedure
    .meta({ scope: 'identity:write', fresh: true, events: ['identity.updated'] })
    .input(addressInput)
    .output(identitySchema)
    .mutation(async ({ ctx, input }) => {
      await removeWhitelistedAddress(ctx.actor, input.address);
      return getIdentity(ctx.actor);
    }),

  useAsOwnAddress: dashboardProcedure
    .meta({ scope: 'identity:write', fresh: true, events: ['identity.updated'] })
    .input(addressInput)
    .output(identitySchema)
    .mutation(async ({ ctx, input }) => {
      await useAsOwnAddress(ctx.actor, input.address);
      return getIdentity(ctx.actor);
    }),

  addresses: dashboardProcedure
    .meta({ scope: 'identity:read' })
    .input(z.object({}))
    .output(addressListSchema)
    .query(({ ctx }) => listAddresses(ctx.actor)),

  sendAddressCode: dashboardProcedure
    .meta({ scope: 'identity:write', events: [] })
    .input(addressInput)
    .output(addressListSchema)
    .mutation(async ({ ctx, input }) => {
      await sendAddressCode(ctx.actor, input.address);
      return listAddresses(ctx.actor);
    }),

  confirmAddressCode: dashboardProcedure
    .meta({ scope: 'identity:write', events: ['identity.updated'] })
    .input(confirmAddressCodeInput)
    .output(addressListSchema)
    .mutation(async ({ ctx, input }) => {
      await confirmAddressCode(ctx.actor, input);
      return listAddresses(ctx.actor);
    }),

  checkAddressDomain: dashboardProcedure
    .meta({ scope: 'identity:write', events: ['identity.updated'] })
    .input(addressInput)
    .output(addressListSchema)
    .mutation(async ({ ctx, input }) => {
      await checkDomainNow(ctx.actor, input.address);
      return listAddresses(ctx.actor);
    }),
});
