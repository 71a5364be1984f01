import { v5 } from 'uuid';

/**
 * The guid of the external contact with this email: UUIDv5 over the URL namespace of `mailto:` + the address, trimmed and
 * lower-cased (contract section 4). Clients can compute it without a request.
 */
export function contactGuid(email: string): string {
  return v5(`mailto:${email.trim().toLowerCase()}`, v5.URL);
}
