import * as z from 'zod';
import {
  emailAddress,
  nextCursor,
  paging,
  recordId,
  requiredText,
  revision,
  text,
  timestamp,
  uuid,
} from '@/server/platform/fields.schema';
import { contactsMaximum, searchMaximum } from './customer.limits';

export const customerContactSchema = z
  .object({
    guid: recordId.meta({ description: 'UUIDv5 of the email address; the same address always has the same `guid`.' }),
    email: z.string(),
    displayName: z.string(),
    isPrimary: z.boolean(),
  })
  .meta({ id: 'CustomerContact' });

export type CustomerContact = z.output<typeof customerContactSchema>;

export const customerSchema = z
  .object({
    id: recordId,
    identityId: recordId,
    company: z.string(),
    phone: z.string(),
    tags: z.array(z.string()),
    notes: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    contacts: z.array(customerContactSchema),
    revision,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Customer',
    examples: [
      {
        id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
        identityId: '0199f3b2-5d0a-7c11-8b7e-aa55cc33dd11',
        company: 'Quark Labs',
        phone: '+49 40 5550 1234',
        tags: ['vip', 'eu'],
        notes: 'Prefers calls in the morning.',
        metadata: { crmId: 'Q-118' },
        contacts: [
          { guid: '7d3cbb4c-6c54-5d0b-9d6f-5f0f4a3b2c1d', email: 'ann@quark.example', displayName: 'Ann Quark', isPrimary: true },
        ],
        revision: 3,
        createdAt: '2026-11-02T09:30:00.000Z',
        updatedAt: '2026-11-20T16:05:12.345Z',
      },
    ],
  });

export type CustomerRecord = z.output<typeof customerSchema>;

/** Maximum length of serialized metadata, in characters; larger data belongs in files. */
const metadataMaximum = 65_536;

const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= metadataMaximum, {
    error: `must have at most ${metadataMaximum} characters as JSON`,
  })
  .meta({ description: 'Free-form JSON object.', examples: [{ crmId: 'Q-118' }] });

const customerFields = {
  company: text(500).meta({ examples: ['Quark Labs'] }),
  phone: text(100).meta({ examples: ['+49 40 5550 1234'] }),
  tags: z
    .array(requiredText(100))
    .max(100)
    .meta({ examples: [['vip', 'eu']] }),
  notes: text(50_000),
  metadata,
};

/** One contact: by `email`, or by the `guid` of a known contact of this identity. */
export const contactInput = z
  .object({
    email: emailAddress.optional(),
    guid: uuid.optional(),
    displayName: text(300).optional(),
  })
  .refine((contact) => contact.email !== undefined || contact.guid !== undefined, {
    path: ['email'],
    error: 'is required unless guid is given',
  });

export type ContactInput = z.output<typeof contactInput>;

export const createCustomerInput = z.object({
  contacts: z.array(contactInput).min(1).max(contactsMaximum),
  company: customerFields.company.default(''),
  phone: customerFields.phone.default(''),
  tags: customerFields.tags.default([]),
  notes: customerFields.notes.default(''),
  metadata: customerFields.metadata.default({}),
});

export type CreateCustomerInput = z.output<typeof createCustomerInput>;

export const customerIdInput = z.object({ id: uuid });

export const updateCustomerInput = customerIdInput.extend({
  ...z.object(customerFields).partial().shape,
});

export type UpdateCustomerInput = z.output<typeof updateCustomerInput>;

export const listCustomersInput = z.object({
  ...paging({ defaultLimit: 50, maximumLimit: 100 }),
  tag: z.string().meta({ description: 'Only customers with exactly this tag.' }).optional(),
  query: z.string().max(500).meta({ description: 'Searches company and notes, ignoring case.' }).optional(),
  q: z.string().max(500).meta({ description: 'Short for `query`, which takes precedence.' }).optional(),
  search: z
    .string()
    .max(searchMaximum)
    .meta({
      description:
        'Words in any order, ignoring case. Each must be in the company, notes, phone (digits), a tag, a custom field, or a contact’s name or address. If few customers match exactly, one typo per word of four letters or more is tolerated. Best match first, then newest. Can’t be combined with `query`.',
    })
    .optional(),
  email: z.string().meta({ description: 'Only the customer with this contact’s email address, ignoring case.' }).optional(),
});

export type ListCustomersInput = z.output<typeof listCustomersInput>;

export const customerListSchema = z.object({
  customers: z.array(customerSchema),
  count: z.int().meta({ description: 'Number of records on this page.' }),
  total: z.int().meta({ description: 'Number of matches. With a filter, counting stops at 1,000; see `totalIsExact`.' }),
  totalIsExact: z.boolean().meta({ description: 'False if more than `total` match.' }),
  hasMore: z.boolean(),
  nextCursor,
});

export type CustomerList = z.output<typeof customerListSchema>;

export const customerByContactInput = z.object({ guid: uuid });

export const addCustomerContactInput = contactInput.safeExtend({ id: uuid });

export const removeCustomerContactInput = z.object({ id: uuid, guid: uuid });

/** Tags in use, as suggestions: most frequent first. */
export const customerTagsSchema = z.object({ tags: z.array(z.string()) });

export type CustomerTags = z.output<typeof customerTagsSchema>;

export const suggestContactsInput = z.object({ query: z.string().max(254) });

/** Contacts that match the query, as suggestions. */
export const contactSuggestionsSchema = z.object({ contacts: z.array(z.object({ email: z.string(), name: z.string() })) });

export type ContactSuggestions = z.output<typeof contactSuggestionsSchema>;
