import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Prefix length of an IPv6 customer network (RFC 6177); the customer chooses the remaining bits freely. */
const networkBits = 64;

/**
 * The key under which attempts from an address are counted: the IPv4 address (also if mapped into IPv6), or the /64 network of
 * an IPv6 address, since every customer has at least a /64. An invalid address is used unchanged.
 * @param address as returned by `clientAddressOf`
 */
export function networkOf(address: string): string {
  const bare = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, '');
  if (isIP(bare) === 0) return address;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${networkBits}`).toString()}/${networkBits}`;
}
