import { createLoader, createSerializer, parseAsString } from 'nuqs/server';
import { listSearch } from '@/app/_kit/list-search';

/** Search parameters of the customer list. */
export const customerSearch = listSearch({
  pageSize: 25,
  filters: { tag: parseAsString.withDefault(''), email: parseAsString.withDefault('') },
  input: ({ q, tag, email }) => ({ ...(q && { search: q }), ...(tag && { tag }), ...(email && { email }) }),
});

/** The form for a new customer can be opened with a prefilled contact. */
const newCustomerParams = { email: parseAsString.withDefault(''), name: parseAsString.withDefault('') };

export const loadNewCustomer = createLoader(newCustomerParams);

/** The query string that opens the form with a prefilled contact. */
export const newCustomerQuery = createSerializer(newCustomerParams);
