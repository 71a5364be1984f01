import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name a customer's network: the rest is the customer's own to choose from (RFC 6177). */
const networkBits = 64;

/**
 * What attempts from an address are counted under: an IPv4 address as it is, also where it is mapped into IPv6, and of an IPv6 address
 * its /64, since everybody has at least one of those to themselves. What is no address is counted as it stands.
 *
 * @param address as `clientAddressOf` gives it
 */
export function networkOf(address: string): string {
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, '');
  if (isIP(bare) === 0) return address;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${networkBits}`).toString()}/${networkBits}`;
}
