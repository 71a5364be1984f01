import { createHash, timingSafeEqual } from 'node:crypto';
import { noteSecurityEvent } from '@/server/platform/auth/security-log';
import { countWrongInboundSecret, inboundSecretWait } from '@/server/platform/auth/sign-in-throttle';
import { env } from '@/server/platform/env';
import { AppError, invalidFields, isAppError } from '@/server/platform/errors';
import type { HttpAnswer, HttpRequest } from '@/server/platform/http/http-message';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { normalizeAddress } from '@/server/platform/mail/mail-addresses';
import { maximumMailBytes, receiveRawMail } from '@/server/platform/mail/raw-mail';
import { refuseEncoded } from '../../platform/http/request-body';
import { apiSecurityHeaders } from '../../platform/http/security-headers';
import { receiveMail } from './inbound.service';

/** Endpoint for mail servers that deliver by HTTP (contract section 6). */
const inboundEmailPath = '/api/inbound/email';

/** Maximum envelope recipients of one message. */
const recipientsMaximum = 1_000;

const controlCharacter = /\p{Cc}|\uFFFD/u;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Compares digests, so that timing reveals neither content nor length of the secret. */
function isSecret(authorization: string | null, secret: string): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(sha256(given), sha256(secret));
}

function noteRefusal({ clientAddress, ids }: HttpRequest, reason: string): void {
  noteSecurityEvent({ kind: 'inbound_refused', reason, address: clientAddress, requestId: ids.requestId });
}

/** Checks the secret; after ten wrong ones from a network, refuses all requests from there for a quarter of an hour. */
async function admit(request: HttpRequest): Promise<void> {
  const { method, headers, pathname, clientAddress } = request;
  const secret = env().INBOUND_SECRET;
  if (secret === undefined || pathname !== inboundEmailPath) throw new AppError('not_found', `There is nothing at ${pathname}.`);
  if (method !== 'POST') throw new AppError('method_not_allowed', 'This path has: POST.', { headers: { Allow: 'POST' } });
  const authorization = headers.get('authorization');
  const isRight = isSecret(authorization, secret);
  const wait =
    isRight || authorization === null ? await inboundSecretWait(clientAddress) : await countWrongInboundSecret(clientAddress);
  if (wait !== null) {
    noteRefusal(request, 'rate_limit_exceeded');
    throw new AppError('rate_limit_exceeded', `Too many wrong secrets came from this network. Try again in ${wait} seconds.`, {
      headers: { 'Retry-After': String(wait) },
    });
  }
  if (isRight) return;
  if (authorization !== null) noteRefusal(request, 'invalid_key');
  throw new AppError(authorization === null ? 'missing_key' : 'invalid_key', 'Send INBOUND_SECRET as a bearer token.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

function recipientsOf(query: URLSearchParams): string[] {
  const recipients = query.getAll('recipient').filter((recipient) => recipient.trim() !== '');
  if (recipients.length > recipientsMaximum) throw invalidFields({ recipient: `is given more than ${recipientsMaximum} times` });
  if (recipients.some((recipient) => controlCharacter.test(recipient))) {
    throw invalidFields({ recipient: 'has a character that no address has' });
  }
  return recipients;
}

/** The envelope's sender if given; '' is the null return path. */
function senderOf(query: URLSearchParams): string | null {
  const sender = query.get('sender');
  if (sender === null) return null;
  if (sender.length > 320 || controlCharacter.test(sender)) throw invalidFields({ sender: 'is no address' });
  return normalizeAddress(sender.trim().replace(/^<(.*)>$/, '$1'));
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/**
 * The ids of the first identity, as in the contract, and of all. A quarantined message is a success as well: delivering it
 * again would not help.
 */
function stored(reception: Awaited<ReturnType<typeof receiveMail>>): HttpAnswer {
  const body =
    reception.kind === 'quarantined'
      ? { conversationId: null, messageId: null, quarantineId: reception.quarantineIds[0] }
      : {
          conversationId: reception.deliveries[0]?.conversationId,
          messageId: reception.deliveries[0]?.messageId,
          deliveries: reception.deliveries.map(({ conversationId, messageId, isNew }) => ({ conversationId, messageId, isNew })),
        };
  return {
    status: 200,
    headers: { ...apiSecurityHeaders(), 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

async function receive(request: HttpRequest): Promise<HttpAnswer> {
  await admit(request);
  refuseEncoded(request);
  const query = new URLSearchParams(request.query);
  const [recipients, sender] = [recipientsOf(query), senderOf(query)];
  const raw = await receiveRawMail(request.body ?? emptyBody(), { drainExcess: false });
  try {
    if (raw.size === 0) throw invalidFields({ body: 'must be a message (RFC 5322)' });
    const reception = await receiveMail(raw, { source: 'http', sender, recipients, clientAddress: request.clientAddress });
    if (raw.isTruncated) throw new AppError('payload_too_large', `A message may have at most ${maximumMailBytes} bytes.`);
    return stored(reception);
  } catch (error) {
    if (isAppError(error) && error.code === 'quota_exceeded') {
      noteRefusal(request, error.details?.quota === 'sender' ? 'sender_quota_exceeded' : error.code);
    }
    throw error;
  } finally {
    await raw.discard();
  }
}

/**
 * `POST /api/inbound/email`: the body is one message (RFC 5322), `recipient` (repeated) its envelope's recipients and `sender`
 * its envelope's sender.
 */
export const inboundEmailRoute: HttpRoute = { prefix: inboundEmailPath, answer: receive };
