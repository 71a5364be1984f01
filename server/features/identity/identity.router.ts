import * as z from 'zod';
import type { IdentityActor } from '@/server/platform/actor';
import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import {
  type AddressList,
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
import { getIdentityInput, type IdentityRecord, identitySchema, updateIdentityInput } from './identity.schema';
import { getIdentity, updateIdentity } from './identity.service';

const tags = ['Identity'];

async function identityAfter(actor: IdentityActor, change: Promise<unknown>): Promise<IdentityRecord> {
  await change;
  return getIdentity(actor);
}

async function addressesAfter(actor: IdentityActor, change: Promise<unknown>): Promise<AddressList> {
  await change;
  return listAddresses(actor);
}

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
    .meta({ fresh: true, creates: 'record' })
    .input(addWhitelistedAddressInput)
    .output(identitySchema)
    .mutation(({ ctx, input }) => identityAfter(ctx.actor, addWhitelistedAddress(ctx.actor, input))),

  removeAddress: dashboardProcedure
    .meta({ fresh: true })
    .input(addressInput)
    .output(identitySchema)
    .mutation(({ ctx, input }) => identityAfter(ctx.actor, removeWhitelistedAddress(ctx.actor, input.address))),

  useAsOwnAddress: dashboardProcedure
    .meta({ fresh: true })
    .input(addressInput)
    .output(identitySchema)
    .mutation(({ ctx, input }) => identityAfter(ctx.actor, useAsOwnAddress(ctx.actor, input.address))),

  addresses: dashboardProcedure
    .input(z.object({}))
    .output(addressListSchema)
    .query(({ ctx }) => listAddresses(ctx.actor)),

  sendAddressCode: dashboardProcedure
    .input(addressInput)
    .output(addressListSchema)
    .mutation(({ ctx, input }) => addressesAfter(ctx.actor, sendAddressCode(ctx.actor, input.address))),

  confirmAddressCode: dashboardProcedure
    .input(confirmAddressCodeInput)
    .output(addressListSchema)
    .mutation(({ ctx, input }) => addressesAfter(ctx.actor, confirmAddressCode(ctx.actor, input))),

  checkAddressDomain: dashboardProcedure
    .input(addressInput)
    .output(addressListSchema)
    .mutation(({ ctx, input }) => addressesAfter(ctx.actor, checkDomainNow(ctx.actor, input.address))),
});
