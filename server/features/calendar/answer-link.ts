import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { authSecret } from '@/server/platform/auth/session-token';
import { publicUrl } from '@/server/platform/env';

/**
 * Secret addresses that need no storing: the id of what they are for, and a signature with the installation's secret. Who has the address
 * has the right; nobody can make one for another id.
 */

const signatureBytes = 16;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

type Purpose = 'calendar-answer' | 'calendar-feed';

function signatureOf(purpose: Purpose, id: Uint8Array): Buffer {
  return createHmac('sha256', authSecret()).update(`${purpose}:`).update(id).digest().subarray(0, signatureBytes);
}

function tokenFor(purpose: Purpose, id: string): string {
  const bytes = parse(id);
  return Buffer.concat([bytes, signatureOf(purpose, bytes)]).toString('base64url');
}

/** The id a token is for; null for one that was not made here. */
function idOf(purpose: Purpose, token: string): string | null {
  if (!tokenPattern.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const [id, signature] = [bytes.subarray(0, 16), bytes.subarray(16)];
  if (signature.length !== signatureBytes || !timingSafeEqual(signature, signatureOf(purpose, id))) return null;
  try {
    return stringify(id);
  } catch {
    return null;
  }
}

/** Where somebody invited answers, without an account. */
export function answerUrl(inviteeId: string): string {
  return `${publicUrl()}/rsvp/${tokenFor('calendar-answer', inviteeId)}`;
}

/** The invitee a personal link is for; null for a forged one. */
export function inviteeOf(token: string): string | null {
  return idOf('calendar-answer', token);
}

/** Where calendar programs subscribe. */
export function feedUrl(keyId: string): string {
  return `${publicUrl()}/api/calendar/${tokenFor('calendar-feed', keyId)}.ics`;
}

/** The key of a feed's address; null for a forged one. */
export function feedKeyOf(token: string): string | null {
  return idOf('calendar-feed', token);
}
