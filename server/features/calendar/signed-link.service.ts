import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';
import { authSecret } from '@/server/platform/auth/session-token';
import { publicUrl } from '@/server/platform/env';

/**
 * Secret URLs that need no storage: an id, and its signature with the installation's secret. The URL is the credential; it
 * can't be forged for another id.
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

/** The id in a token; null for one that was not signed here. */
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

/** The RSVP page of an invitee, which needs no account. */
export function rsvpUrl(inviteeId: string): string {
  return `${publicUrl()}/rsvp/${tokenFor('calendar-answer', inviteeId)}`;
}

const rsvpLink = String.raw`https?://[^\s"'<>]*/rsvp/[A-Za-z0-9_-]{43}[^\s"'<>]*`;
const rsvpLinks = new RegExp(rsvpLink, 'g');
const rsvpAttributes = new RegExp(`\\shref="${rsvpLink}"`, 'g');

/** Removes RSVP links from the text or HTML of an email: anyone with such a link can respond for the invitee. */
export function withoutRsvpLinks(content: string): string {
  return content.replace(rsvpAttributes, '').replace(rsvpLinks, '(the guest’s own link)');
}

/** The invitee of an RSVP link; null for a forged one. */
export function inviteeOf(token: string): string | null {
  return idOf('calendar-answer', token);
}

/** The subscription URL of a calendar feed. */
export function feedUrl(keyId: string): string {
  return `${publicUrl()}/api/calendar/${tokenFor('calendar-feed', keyId)}.ics`;
}

/** The key of a feed's URL; null for a forged one. */
export function feedKeyOf(token: string): string | null {
  return idOf('calendar-feed', token);
}
