import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { errorCodes } from '../errors';

/** Timeout of one DNS query, in milliseconds; the resolver tries twice. */
const questionTimeout = 2_000;

/** The name servers say that there is no such name, or there are none: the system may know it from elsewhere, such as /etc/hosts. */
const unknownCodes = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** The addresses of one kind; none if the name servers know none. */
async function questionFor(question: Promise<string[]>, family: 4 | 6): Promise<LookupAddress[]> {
  try {
    return (await question).map((address) => ({ address, family }));
  } catch (error) {
    if (errorCodes(error).some((code) => unknownCodes.has(code))) return [];
    throw error;
  }
}

/** One kind of address is enough, whatever became of the question for the other. */
async function addressesOf(resolver: dns.promises.Resolver, hostname: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([
    questionFor(resolver.resolve4(hostname), 4),
    questionFor(resolver.resolve6(hostname), 6),
  ]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (found.length === 0 && failed) throw failed.reason;
  return found;
}

/**
 * A resolver for names that users choose. `dns.lookup` takes one of few threads for each name, for as long as the name servers do not
 * answer and beyond any time limit; a few names of silent servers would stop all others, and mail. This one asks the name servers
 * itself, and ends with the signal. Only for names that they do not know, which they say at once, the system is asked.
 *
 * @param signal ends all questions
 */
export function hostResolver(signal: AbortSignal): LookupFunction {
  return (hostname, options, callback) => {
    const resolver = new dns.promises.Resolver({ timeout: questionTimeout, tries: 2 });
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    addressesOf(resolver, hostname)
      .finally(() => signal.removeEventListener('abort', cancel))
      .then(
        (found) => (found.length > 0 ? callback(null, found) : dns.lookup(hostname, { ...options, all: true }, callback)),
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
  };
}
