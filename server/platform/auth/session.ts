import type { SessionActor } from '../actor';
import { pool } from '../db/pool';
import { rows } from '../db/sql';
import { logFailure } from '../outage-log';
import { freshSeconds } from './fresh-sign-in';
import {
  cookiesAreSecure,
  persistentCookie,
  readSessionToken,
  type SessionClaims,
  sessionCookieName,
  sessionLifetime,
  sessionMaxAge,
} from './session-token';

/** The cookie with the identity selected in this browser. Ownership is checked on every request, so it needs no signature. */
function identityCookieName(): string {
  return cookiesAreSecure() ? '__Host-frontdesk.identity' : 'frontdesk.identity';
}

/** A `Set-Cookie` value that selects `identityId` in this browser. */
export function identityCookie(identityId: string): string {
  return persistentCookie(identityCookieName(), identityId);
}

/** Sent by dashboard pages with the identity they show, so that a tab never acts for an identity selected in another tab. */
export const identityHeaderName = 'x-frontdesk-identity';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The value of one cookie in a `Cookie` header. */
export function cookieValue(header: string | null, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const separator = part.indexOf('=');
    if (separator > 0 && part.slice(0, separator).trim() === name) return part.slice(separator + 1).trim();
  }
  return undefined;
}

interface SessionRow {
  /** The requested identity if this user owns it, else their oldest. */
  identity_id: string | null;
  /** True if `last_seen_at` is outdated, or in the future because a clock was ahead. */
  is_stale: boolean;
  is_fresh: boolean;
}

/** `last_seen_at` is precise to a minute. A time in the future would keep an unused session alive, so it is overwritten. */
const isStale = (column: string) => `${column} NOT BETWEEN now() - interval '1 minute' AND now() + interval '1 minute'`;

/** Updates a session's last use at most once a minute, without delaying the request. */
function updateLastSeen({ sessionId }: SessionClaims): void {
  pool()
    .query({
      name: 'session-seen',
      text: `UPDATE sessions SET last_seen_at = now() WHERE id = $1 AND ${isStale('last_seen_at')}`,
      values: [sessionId],
    })
    .catch((error: unknown) => logFailure(error, {}, 'last use of a session not noted'));
}

/**
 * The session of a request's `Cookie` header. Session and account are read each time, so a session ends immediately when it is
 * revoked, the password changes or the account is deleted.
 * @param pageIdentityId the identity the calling page shows, if given; must be one of the user's own.
 */
export async function readSession(
  cookieHeader: string | null,
  pageIdentityId: string | null = null,
): Promise<SessionActor | null> {
  const token = cookieValue(cookieHeader, sessionCookieName());
  const claims = token === undefined ? null : await readSessionToken(token);
  if (!claims) return null;
  const wanted = pageIdentityId ?? cookieValue(cookieHeader, identityCookieName()) ?? '';
  const [row] = await rows<SessionRow>(pool(), {
    name: 'session',
    text: `SELECT (
        SELECT id FROM identities WHERE owner_user_id = u.id ORDER BY (id = $3) DESC NULLS LAST, created_at, id LIMIT 1
      ) AS identity_id, ${isStale('s.last_seen_at')} AS is_stale,
        s.confirmed_at BETWEEN now() - interval '${freshSeconds} seconds' AND now() + interval '1 minute' AS is_fresh
      FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = $4 AND u.id = $1 AND u.session_epoch = $2 AND s.last_seen_at > now() - make_interval(secs => $5)
        AND s.created_at > now() - make_interval(secs => $6)`,
    values: [
      claims.userId,
      claims.epoch,
      uuidPattern.test(wanted) ? wanted : null,
      claims.sessionId,
      sessionMaxAge,
      sessionLifetime,
    ],
  });
  if (!row) return null;
  if (row.is_stale) updateLastSeen(claims);
  const identityId = pageIdentityId === null || row.identity_id === pageIdentityId ? row.identity_id : null;
  return { kind: 'session', userId: claims.userId, sessionId: claims.sessionId, identityId, isFresh: row.is_fresh };
}
