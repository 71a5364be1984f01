import type { SessionActor } from '../actor';
import { pool } from '../db/pool';
import { rows } from '../db/sql';
import { cookiesAreSecure, readSessionToken, sessionCookieName, sessionMaxAge } from './session-token';

/** The identity this browser looks at. Checked against ownership on every request, so it needs no signature. */
const identityCookieName = 'frontdesk.identity';

/** A `Set-Cookie` value that makes this browser look at `identityId`. */
export function identityCookie(identityId: string): string {
  const secure = cookiesAreSecure() ? '; Secure' : '';
  return `${identityCookieName}=${identityId}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${sessionMaxAge}${secure}`;
}

/** Set by a dashboard page to the identity it shows, so that a tab never acts for an identity another tab switched to. */
export const identityHeaderName = 'x-frontdesk-identity';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The value of one cookie of a `Cookie` header. */
export function cookieValue(header: string | null, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const separator = part.indexOf('=');
    if (separator > 0 && part.slice(0, separator).trim() === name) return part.slice(separator + 1).trim();
  }
  return undefined;
}

interface SessionRow {
  /** The wanted identity where this user owns it, else their oldest. */
  identity_id: string | null;
}

/**
 * Who is signed in, from the `Cookie` header of a request. The account is read each time: a session ends at once when the password
 * changes or the account goes.
 *
 * @param pageIdentityId the identity the calling page shows, where the caller says so; it must be one of the user's own.
 */
export async function readSession(
  cookieHeader: string | null,
  pageIdentityId: string | null = null,
): Promise<SessionActor | null> {
  const token = cookieValue(cookieHeader, sessionCookieName());
  const claims = token === undefined ? null : await readSessionToken(token);
  if (!claims) return null;
  const wanted = pageIdentityId ?? cookieValue(cookieHeader, identityCookieName) ?? '';
  const [row] = await rows<SessionRow>(pool(), {
    name: 'session',
    text: `SELECT (
        SELECT id FROM identities WHERE owner_user_id = u.id ORDER BY (id = $3) DESC NULLS LAST, created_at, id LIMIT 1
      ) AS identity_id
      FROM users u WHERE u.id = $1 AND u.session_epoch = $2`,
    values: [claims.userId, claims.epoch, uuidPattern.test(wanted) ? wanted : null],
  });
  if (!row) return null;
  const identityId = pageIdentityId === null || row.identity_id === pageIdentityId ? row.identity_id : null;
  return { kind: 'session', userId: claims.userId, identityId };
}
