/** Customers and their contacts, as other features may read them. */

export const customers = '(SELECT id, identity_id FROM customers)';

export const externalContacts =
  '(SELECT identity_id, customer_id, email, display_name, is_primary, link_order FROM external_contacts)';
