import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import { suggestContacts } from './contact.service';
import {
  addCustomerContactInput,
  contactSuggestionsSchema,
  createCustomerInput,
  customerByContactInput,
  customerIdInput,
  customerListSchema,
  customerSchema,
  customerTagsSchema,
  listCustomersInput,
  removeCustomerContactInput,
  suggestContactsInput,
  updateCustomerInput,
} from './customer.schema';
import {
  addCustomerContact,
  createCustomer,
  customerVersion,
  deleteCustomer,
  getCustomer,
  getCustomerByContact,
  getCustomerTags,
  listCustomers,
  removeCustomerContact,
  restoreCustomer,
  updateCustomer,
} from './customer.service';

const tags = ['Customers'];
const path = '/identity/customers' as const;

export const customersRouter = router({
  list: identityProcedure
    .meta({
      scope: 'customers:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List customers',
        description: 'Newest first, then by ID; with `search`, best match first.',
      },
    })
    .input(listCustomersInput)
    .output(customerListSchema)
    .query(({ ctx, input }) => listCustomers(ctx.actor, input)),

  byContact: identityProcedure
    .meta({
      scope: 'customers:read',
      openapi: { method: 'GET', path: `${path}/by-contact/{guid}`, tags, summary: 'Get the customer of a contact' },
    })
    .input(customerByContactInput)
    .output(customerSchema)
    .query(({ ctx, input }) => getCustomerByContact(ctx.actor, input.guid)),

  get: identityProcedure
    .meta({ scope: 'customers:read', openapi: { method: 'GET', path: `${path}/{id}`, tags, summary: 'Get a customer' } })
    .input(customerIdInput)
    .output(customerSchema)
    .version(customerVersion)
    .query(({ ctx, input }) => getCustomer(ctx.actor, input.id)),

  create: identityProcedure
    .meta({
      scope: 'customers:write',
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Create a customer',
        description:
          'Contacts given by email address are created if they don’t exist yet. The first one becomes the primary contact.',
      },
      rest: { status: 201, errors: [404, 409] },
      events: ['customer.created'],
    })
    .input(createCustomerInput)
    .output(customerSchema)
    .mutation(({ ctx, input }) => createCustomer(ctx.actor, input)),

  update: identityProcedure
    .meta({
      scope: 'customers:write',
      openapi: {
        method: 'PATCH',
        path: `${path}/{id}`,
        tags,
        summary: 'Update a customer',
        description: 'Only the given fields change; `tags` and `metadata` are replaced as a whole.',
      },
      events: ['customer.updated'],
    })
    .input(updateCustomerInput)
    .output(customerSchema)
    .mutation(({ ctx, input }) => updateCustomer(ctx.actor, input)),

  delete: identityProcedure
    .meta({
      scope: 'customers:write',
      openapi: {
        method: 'DELETE',
        path: `${path}/{id}`,
        tags,
        summary: 'Delete a customer',
        description:
          'It can be restored for 30 days. Its contacts are kept and can be added to another customer by their `guid`.',
      },
      events: ['customer.deleted'],
    })
    .input(customerIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => deleteCustomer(ctx.actor, input.id)),

  restore: identityProcedure
    .meta({
      scope: 'customers:write',
      openapi: {
        method: 'POST',
        path: `${path}/{id}/restore`,
        tags,
        summary: 'Restore a deleted customer',
        description:
          'Possible for 30 days after deletion; the customer keeps its ID. Contacts that now belong to another customer stay there. Restoring a customer that isn’t deleted changes nothing.',
      },
      rest: { bodyOptional: true, unconditional: true, errors: [409] },
      events: ['customer.created'],
    })
    .input(customerIdInput)
    .output(customerSchema)
    .mutation(({ ctx, input }) => restoreCustomer(ctx.actor, input.id)),

  addContact: identityProcedure
    .meta({
      scope: 'customers:write',
      openapi: {
        method: 'POST',
        path: `${path}/{id}/contacts`,
        tags,
        summary: 'Add a contact',
        description: 'If this customer already has the contact, nothing changes and the status is 200.',
      },
      rest: { status: 201, errors: [409], alreadyDone: 'This customer already has the contact; nothing changed.' },
      events: ['customer.updated'],
    })
    .input(addCustomerContactInput)
    .output(customerSchema)
    .mutation(async ({ ctx, input }) => {
      const { customer, added } = await addCustomerContact(ctx.actor, input);
      if (!added) ctx.response.status = 200;
      return customer;
    }),

  removeContact: identityProcedure
    .meta({
      scope: 'customers:write',
      openapi: {
        method: 'DELETE',
        path: `${path}/{id}/contacts/{guid}`,
        tags,
        summary: 'Remove a contact',
        description: 'If the primary contact is removed, the oldest remaining one becomes primary.',
      },
      events: ['customer.updated'],
    })
    .input(removeCustomerContactInput)
    .output(customerSchema)
    .mutation(({ ctx, input }) => removeCustomerContact(ctx.actor, input.id, input.guid)),

  tags: dashboardProcedure
    .meta({ scope: 'customers:read' })
    .input(z.object({}))
    .output(customerTagsSchema)
    .query(({ ctx }) => getCustomerTags(ctx.actor)),

  suggestContacts: dashboardProcedure
    .meta({ scope: 'customers:read' })
    .input(suggestContactsInput)
    .output(contactSuggestionsSchema)
    .query(({ ctx, input }) => suggestContacts(ctx.actor, input.query)),
});
