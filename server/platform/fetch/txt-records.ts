import { Resolver } from 'node:dns/promises';
import { env } from '../env';

/** One question of the resolver, in milliseconds; it asks twice. */
const questionTimeout = 2_000;
/** The whole lookup, however many servers are asked. */
const lookupTimeout = 8_000;

/** A lookup without an answer; the message says why, for people. */
export class LookupFailure extends Error {
  override name = 'LookupFailure';
}

/** What says that there is nothing, as opposed to that no one could say. */
const nothing = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * The TXT records at a domain, each in one piece; none is an empty list.
 *
 * @param domain in ASCII
 * @param signal gives up, as where no server answers in time
 * @throws LookupFailure where no server answered in time, or none could
 */
export async function readTxtRecords(domain: string, signal?: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: questionTimeout, tries: 2 });
  const { DNS_SERVERS } = env();
  if (DNS_SERVERS) resolver.setServers(DNS_SERVERS);
  const giveUp = () => resolver.cancel();
  const timer = setTimeout(giveUp, lookupTimeout);
  signal?.addEventListener('abort', giveUp);
  try {
    return (await resolver.resolveTxt(domain)).map((parts) => parts.join(''));
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (nothing.has(code)) return [];
    const isLate = code === 'ETIMEOUT' || code === 'ECANCELLED';
    throw new LookupFailure(isLate ? 'The DNS servers did not answer in time.' : `The DNS servers could not answer (${code}).`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
