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
import type { TeamRole } from './team-roles.schema';

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
  /** The requested identity if this user is a member, else the one that they have been in for longest. */
  identity_id: string | null;
  name: string | null;
  role: TeamRole | null;
  lacks_two_factor: boolean | null;
  /** True if a time of last use is outdated, or in the future because a clock was ahead. */
  is_stale: boolean;
  is_fresh: boolean;
}

/** Times of last use are precise to a minute. One in the future would keep an unused session alive, so it is overwritten. */
const isStale = (column: string) =>
  `coalesce(${column} NOT BETWEEN now() - interval '1 minute' AND now() + interval '1 minute', true)`;

/** Updates the last use of a session, and of the membership it uses, at most once a minute, without delaying the request. */
function updateLastUse({ sessionId, userId }: SessionClaims, identityId: string | null): void {
  pool()
    .query({
      name: 'session-seen',
      text: `WITH member AS (
          UPDATE memberships SET last_active_at = now() WHERE identity_id = $2 AND user_id = $3 AND ${isStale('last_active_at')}
        )
        UPDATE sessions SET last_seen_at = now() WHERE id = $1 AND ${isStale('last_seen_at')}`,
      values: [sessionId, identityId, userId],
    })
    .catch((error: unknown) => logFailure(error, {}, 'last use of a session not noted'));
}

/**
 * The session of a request's `Cookie` header. Session, account and membership are read each time, so access ends immediately when
 * the session is revoked, the password changes, or the role changes or is lost.
 * @param pageIdentityId the identity the calling page shows, if given; the user must be a member.
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
    text: `SELECT m.identity_id, nullif(u.display_name, '') AS name, m.role, m.lacks_two_factor,
        ${isStale('s.last_seen_at')} OR (m.identity_id IS NOT NULL AND ${isStale('m.last_active_at')}) AS is_stale,
        s.confirmed_at BETWEEN now() - interval '${freshSeconds} seconds' AND now() + interval '1 minute' AS is_fresh
      FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN LATERAL (
        SELECT m.identity_id, m.role, m.last_active_at, i.requires_two_factor AND NOT EXISTS (
          SELECT 1 FROM two_factors t WHERE t.user_id = u.id AND t.enabled_at IS NOT NULL
        ) AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS lacks_two_factor
        FROM memberships m JOIN identities i ON i.id = m.identity_id AND i.erased_at IS NULL
        WHERE m.user_id = u.id ORDER BY (m.identity_id = $3) DESC NULLS LAST, m.created_at, m.identity_id LIMIT 1
      ) m ON true
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
  if (row.is_stale) updateLastUse(claims, row.identity_id);
  const isWanted = pageIdentityId === null || row.identity_id === pageIdentityId;
  const { identity_id: identityId, role } = isWanted ? row : { identity_id: null, role: null };
  const { userId, sessionId } = claims;
  const lacksTwoFactor = isWanted && row.lacks_two_factor === true;
  return { kind: 'session', userId, sessionId, name: row.name, identityId, role, lacksTwoFactor, isFresh: row.is_fresh };
}
