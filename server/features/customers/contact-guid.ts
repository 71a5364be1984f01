import { v5 } from 'uuid';

/**
 * The guid of the external contact with this e-mail: UUIDv5 over the URL namespace of `mailto:` + the address, trimmed and
 * lower-cased (contract section 4). Anybody can compute it without asking the service.
 */
export function contactGuid(email: string): string {
  return v5(`mailto:${email.trim().toLowerCase()}`, v5.URL);
}
