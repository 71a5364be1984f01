/** Customers and their contacts, for queries of other features. */

export const customers = '(SELECT id, identity_id, company FROM customers)';

export const externalContacts =
  '(SELECT identity_id, customer_id, email, display_name, is_primary, link_order FROM external_contacts)';

export const customerSizes = '(SELECT identity_id, pg_column_size(r) - pg_column_size(r.search_text) AS bytes FROM customers r)';

export const contactSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM external_contacts r)';
