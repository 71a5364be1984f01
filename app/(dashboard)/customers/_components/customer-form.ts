import { keysOf } from '@/app/_kit/keys-of';
import { type MetadataEntry, toMetadataEntries } from '@/app/_kit/metadata-draft';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';

/** A customer's editable fields as form values: metadata as rows. */
export interface CustomerFields {
  company: string;
  phone: string;
  tags: string[];
  notes: string;
  metadata: MetadataEntry[];
}

export const customerPartNames = {
  company: 'Company',
  phone: 'Phone',
  tags: 'Tags',
  notes: 'Notes',
  metadata: 'Custom fields',
} as const satisfies Record<keyof CustomerFields, string>;

export const customerParts = keysOf(customerPartNames);

export interface NewCustomerFields extends CustomerFields {
  contacts: { email: string; displayName: string }[];
}

export const newCustomerParts = ['contacts', ...customerParts] as const;

export function toCustomerFields({ company, phone, tags, notes, metadata }: CustomerRecord): CustomerFields {
  return { company, phone, tags, notes, metadata: toMetadataEntries(metadata) };
}

export const emptyCustomer: CustomerFields = {
  company: '',
  phone: '',
  tags: [],
  notes: '',
  metadata: [],
};
