import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { env } from '../env';
import { checkAddress } from './destination';
import { OutboundFailed } from './outbound-error';
import { hostResolver } from './resolve-host';

/** A server that a user has chosen, for protocols other than HTTP. */
export interface ChosenServer {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
}

function lookUp(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    hostResolver(signal)(host, { all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]);
    });
  });
}

/**
 * The address to connect to: only that may be used, since the name may have another one a moment later (DNS rebinding). IPv4 comes first,
 * which is where mail servers are.
 *
 * @param ports those of the public internet that may be used
 * @throws OutboundRefused if one of its addresses is forbidden
 * @throws OutboundFailed if it has none
 */
export async function checkedHost({ host, port }: ChosenServer, ports: readonly number[], signal: AbortSignal): Promise<string> {
  const version = isIP(host);
  const url = new URL(`tcp://${version === 6 ? `[${host}]` : host}:${port}`);
  const addresses = version === 0 ? await lookUp(host, signal) : [{ address: host, family: version }];
  for (const { address } of addresses) checkAddress(url, address, env().OUTBOUND_ALLOWLIST, ports);
  const [first] = addresses.sort((a, b) => a.family - b.family);
  if (!first) throw new OutboundFailed(`${host} has no address.`);
  return first.address;
}
