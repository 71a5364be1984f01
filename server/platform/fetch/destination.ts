import ipaddr from 'ipaddr.js';
import type { AllowedDestination } from '../env';
import { OutboundRefused } from './outbound-error';

/** Ports on the public internet that users may send requests to. */
const publicPorts = [80, 443];

/** The only part of IPv6 that is assigned to the public internet (RFC 4291, section 2.4); ipaddr.js calls the unassigned rest unicast, too. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Well-known prefix of NAT64 (RFC 6052): how an IPv6-only network reaches the IPv4 address in the last 32 bits. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

/** The service of Azure's virtual machines for their metadata, at an address of the public internet. */
const azureWireServer = '168.63.129.16';

const isPublicIpv4 = (address: ipaddr.IPv4) => address.range() === 'unicast' && address.toString() !== azureWireServer;

/** True for a public address, and for a NAT64 or IPv4-mapped form of one. False for tunnels. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIpv4(parsed);
  if (parsed.match(nat64)) return isPublicIpv4(ipaddr.fromByteArray(parsed.toByteArray().slice(12)) as ipaddr.IPv4);
  return parsed.range() === 'unicast' && parsed.match(globalUnicast);
}

/** A host name without trailing dots, which do not change the host. */
function bareName(host: string): string {
  return host.replace(/\.+$/, '').toLowerCase();
}

/** The IP literal in a URL's host, without IPv6 brackets; null for a name. */
function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : null;
}

function covers(destination: AllowedDestination, host: string, address: string | null, port: number): boolean {
  if (destination.port !== null && destination.port !== port) return false;
  if ('host' in destination) return destination.host === host;
  if (address === null) return false;
  const parsed = ipaddr.process(address);
  const range = ipaddr.parse(destination.address);
  return parsed.kind() === range.kind() && parsed.match(range, destination.bits);
}

/**
 * Parses a URL and checks everything that does not need name resolution.
 * @returns the URL, its host without trailing dots
 * @throws OutboundRefused for a protocol other than http and https, for credentials, for a forbidden IP literal in any
 * spelling, and for localhost
 */
export function checkedUrl(value: string, allowlist: readonly AllowedDestination[], base?: URL): URL {
  if (!URL.canParse(value, base))
    throw new OutboundRefused('This is not a complete address such as https://example.com/image.jpg.');
  const url = new URL(value, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundRefused('Only http and https addresses can be fetched.');
  if (url.username || url.password) throw new OutboundRefused('An address with a user name or password in it is not fetched.');
  url.hash = '';
  // The WHATWG parser turns 127.1, 0x7f.1 and other spellings into 127.0.0.1, but "127.0.0.1.." only without the dots.
  url.hostname = bareName(url.hostname);
  const literal = literalAddress(url.hostname);
  const isLocalhost = url.hostname === 'localhost' || url.hostname.endsWith('.localhost');
  if (literal !== null) checkAddress(url, literal, allowlist);
  else if (isLocalhost && !allowlist.some((each) => covers(each, url.hostname, null, portOf(url)))) throw notPublic(url);
  return url;
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80));
}

function notPublic(url: URL): OutboundRefused {
  // Does not reveal the addresses behind a name, which may belong to an internal network.
  return new OutboundRefused(`${url.hostname} is not an address of the public internet.`);
}

/**
 * Checks an address that a connection for `url` would use.
 * @param ports those of the public internet that may be used
 * @throws OutboundRefused unless the address is public (and the port one of `ports`) or in the allowlist
 */
export function checkAddress(
  url: URL,
  address: string,
  allowlist: readonly AllowedDestination[],
  ports: readonly number[] = publicPorts,
): void {
  const port = portOf(url);
  if (allowlist.some((each) => covers(each, url.hostname, address, port))) return;
  if (!isPublicAddress(address)) throw notPublic(url);
  if (!ports.includes(port)) throw new OutboundRefused(`Port ${port} is not fetched from; only ${ports.join(' and ')} are.`);
}
