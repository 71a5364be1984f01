import { Resolver } from 'node:dns/promises';
import { env } from '../env';

/** Timeout of one DNS query, in milliseconds; the resolver tries twice. */
const questionTimeout = 2_000;
/** Timeout of the whole lookup in milliseconds, with any number of servers. */
const lookupTimeout = 8_000;

/** A failed lookup; the message is for people. */
export class LookupFailure extends Error {
  override name = 'LookupFailure';
}

/** Codes that mean "no such record", as opposed to a failed lookup. */
const noRecordCodes = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * The TXT records of a domain, each joined into one string; empty if there are none.
 * @param domain in ASCII
 * @param signal aborts the lookup, with the same error as a timeout
 * @throws LookupFailure if no server answered in time, or all failed
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
    if (noRecordCodes.has(code)) return [];
    const isLate = code === 'ETIMEOUT' || code === 'ECANCELLED';
    throw new LookupFailure(isLate ? 'The DNS servers did not answer in time.' : `The DNS servers could not answer (${code}).`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
