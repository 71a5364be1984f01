import { sha1 } from './sha1.js';
import { formatUuid } from './uuid.js';

/** The namespace of URLs (RFC 9562, section 6.6): 6ba7b811-9dad-11d1-80b4-00c04fd430c8. */
const urlNamespace = [0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];

/**
 * The guid of the contact with this e-mail, as Frontdesk computes it: the UUIDv5 of its `mailto:` URL, the address trimmed and
 * lower-cased. Nothing is asked of a server: `frontdesk.customers.byContact({ guid: contactGuid('ann@quark.io') })`.
 */
export function contactGuid(email: string): string {
  const name = new TextEncoder().encode(`mailto:${email.trim().toLowerCase()}`);
  const bytes = new Uint8Array(urlNamespace.length + name.length);
  bytes.set(urlNamespace);
  bytes.set(name, urlNamespace.length);
  return formatUuid(sha1(bytes), 5);
}
