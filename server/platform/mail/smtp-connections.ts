import { networkOf } from '../auth/client-network';

/** Maximum concurrent connections of one network: an IPv4 address, or a /64 of IPv6. */
const perNetwork = 20;
/** A mail server on the same machine forwards everybody's mail. */
const perLocalNetwork = 150;

function isLocal(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

/** Limits the connections of one network. */
export class ConnectionLimit {
  /** The networks of open connections, by the connections' ids. */
  readonly #networks = new Map<string, string>();
  readonly #open = new Map<string, number>();

  /** @returns false if the connection is one too many; it counts until it is closed */
  enter(id: string, address: string): boolean {
    const network = networkOf(address);
    const count = (this.#open.get(network) ?? 0) + 1;
    this.#networks.set(id, network);
    this.#open.set(network, count);
    return count <= (isLocal(address) ? perLocalNetwork : perNetwork);
  }

  /** Connections that were refused before they were counted are closed as well. */
  leave(id: string): void {
    const network = this.#networks.get(id);
    if (network === undefined) return;
    this.#networks.delete(id);
    const count = (this.#open.get(network) ?? 1) - 1;
    if (count > 0) this.#open.set(network, count);
    else this.#open.delete(network);
  }
}
