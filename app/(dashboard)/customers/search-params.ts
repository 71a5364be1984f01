import { createLoader, createSerializer, type inferParserType, parseAsInteger, parseAsString } from 'nuqs/server';

/** What the address of the customer list says. */
export const customerSearchParams = {
  q: parseAsString.withDefault(''),
  tag: parseAsString.withDefault(''),
  email: parseAsString.withDefault(''),
  page: parseAsInteger.withDefault(1),
};

export type CustomerSearch = inferParserType<typeof customerSearchParams>;

export const loadCustomerSearch = createLoader(customerSearchParams);

/** The address's query for a search; defaults are left out. */
export const customerSearchQuery = createSerializer(customerSearchParams);

export const customersPerPage = 25;

/** The largest page whose offset the API still takes. */
const lastPage = Math.floor(2_147_483_647 / customersPerPage);

/** The page asked for, brought into the range of pages that can exist. */
export function pageOf({ page }: CustomerSearch): number {
  return Math.min(Math.max(1, page), lastPage);
}

/** The list call behind an address. Server and browser both use it, so that the browser finds what the server prefetched. */
export function listInput(search: CustomerSearch) {
  const { q, tag, email } = search;
  return {
    limit: customersPerPage,
    offset: (pageOf(search) - 1) * customersPerPage,
    ...(q ? { search: q } : {}),
    ...(tag ? { tag } : {}),
    ...(email ? { email } : {}),
  };
}

/** What the address of the form for a new customer may bring along. */
const newCustomerParams = { email: parseAsString.withDefault(''), name: parseAsString.withDefault('') };

export const loadNewCustomer = createLoader(newCustomerParams);

/** The query that leads to the form with a contact filled in. */
export const newCustomerQuery = createSerializer(newCustomerParams);
