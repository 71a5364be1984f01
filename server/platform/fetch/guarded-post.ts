import type { LookupFunction } from 'node:net';
import { request } from 'undici';
import { env } from '../env';
import { errorCodes } from '../errors';
import { checkedUrl } from './destination';
import { failureOf, guardedAgent, readUpTo } from './guarded-connection';

export interface GuardedPostOptions {
  body: string | Buffer;
  headers: Record<string, string>;
  /** Maximum bytes of the answer's body to read; the rest is not received. */
  maximumBytes: number;
  /** Total timeout: name resolution, connection, answer. */
  timeoutMilliseconds: number;
  /** Aborts the request. */
  signal?: AbortSignal | undefined;
  /** Replaces the system's resolver. */
  lookup?: LookupFunction | undefined;
}

export interface PostAnswer {
  /** Any status, also a redirect, which is not followed. */
  status: number;
  /** By lower-case name; repeated headers are a list. */
  headers: Record<string, string | string[] | undefined>;
  /** The body's beginning, as far as it came in time; empty in a compressed form. */
  body: Buffer;
}

/** How long the body of an answer may take once its headers are there, in milliseconds. */
const bodyTimeout = 2_000;

/** Node.js' codes of failed connections, as people would say it. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection before it answered',
  UND_ERR_SOCKET: 'closed the connection before it answered',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'can’t be resolved at the moment',
  ETIMEOUT: 'can’t be resolved at the moment',
  ESERVFAIL: 'can’t be resolved at the moment',
  EHOSTUNREACH: 'can’t be reached',
  ENETUNREACH: 'can’t be reached',
  CERT_HAS_EXPIRED: 'has an expired certificate',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a self-signed certificate in its chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'does not send its whole certificate chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate of an unknown authority',
  UND_ERR_HEADERS_OVERFLOW: 'answers with headers that are too large',
};

/** A sentence's end about a host. */
function reasonOf(error: unknown): string {
  const codes = errorCodes(error);
  const known = codes.map((code) => reasons[code]).find((reason) => reason !== undefined);
  if (known) return known;
  if (codes.some((code) => /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code))) return 'does not speak TLS as it should';
  if (codes.some((code) => /^(HPE_|UND_ERR_)/.test(code))) return 'does not speak HTTP as it should';
  return 'can’t be reached';
}

/**
 * Sends a POST to a user-chosen address, with the rules of `guardedFetch`, but follows no redirect.
 * @throws OutboundRefused if the address is forbidden
 * @throws OutboundFailed without an answer in time; `message` is the reason, for people
 */
export async function guardedPost(address: string, options: GuardedPostOptions): Promise<PostAnswer> {
  const deadline = AbortSignal.timeout(options.timeoutMilliseconds);
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline;
  const url = checkedUrl(address, env().OUTBOUND_ALLOWLIST);
  const agent = guardedAgent(url, { signal, lookup: options.lookup });
  try {
    const { statusCode, headers, body } = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      body: options.body,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Frontdesk', ...options.headers },
    });
    const encoding = headers['content-encoding'] ?? 'identity';
    // The status is the answer; a body that ends badly or never takes nothing from it.
    const isPlain = encoding === 'identity';
    const timer = setTimeout(() => body.destroy(), bodyTimeout);
    const { bytes } = await readUpTo(body, isPlain ? options.maximumBytes : 0, { mayEndEarly: true });
    clearTimeout(timer);
    return { status: statusCode, headers, body: bytes };
  } catch (error) {
    throw failureOf(error, url, signal, reasonOf(error));
  } finally {
    await agent.destroy();
  }
}
