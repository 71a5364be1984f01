import * as z from 'zod';
import { metadataEntries } from '@/app/_kit/metadata-schema';
import { createCustomerInput, updateCustomerInput } from '@/server/features/customers/customer.schema';

const { company, phone, tags, notes, metadata } = updateCustomerInput.required().shape;

/** The procedures' rules, with metadata parsed from its rows first. */
export const customerFieldsSchema = z.object({ company, phone, tags, notes, metadata: metadataEntries.pipe(metadata) });

export const newCustomerSchema = createCustomerInput.extend({ metadata: metadataEntries.pipe(metadata) });
