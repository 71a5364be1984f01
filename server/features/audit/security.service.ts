import type { SessionActor } from '@/server/platform/actor';
import { beyondNewest, pageOf } from '@/server/platform/db/newest-first';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import type { ListSecurityInput, OperatorSecurityInput, SecurityEventRecord, SecurityList } from './security.schema';

/** Reads the security log, which server/platform/auth/security-log.ts writes (docs/adr/0016). */

const columns = `id, kind, reason, account, address, subject, request_id AS "requestId", count, first_at AS "firstAt", last_at AS "lastAt"`;

/** Refusals that concern the owner's account and the selected identity, newest first, paged. */
export async function listSecurity(
  { userId, identityId }: SessionActor & { identityId: string },
  { kind, before, limit }: ListSecurityInput,
): Promise<SecurityList> {
  const found = await rows<SecurityEventRecord>(pool(), {
    name: 'security-events-of-owner',
    isoTimes: true,
    text: `SELECT ${columns} FROM (
        (SELECT * FROM security_events WHERE identity_id = $1 AND id < $3 AND kind = coalesce($4, kind) ORDER BY id DESC LIMIT $5)
        UNION
        (SELECT * FROM security_events WHERE user_id = $2 AND identity_id IS NULL AND id < $3 AND kind = coalesce($4, kind)
          ORDER BY id DESC LIMIT $5)
      ) both_logs ORDER BY id DESC LIMIT $5`,
    values: [identityId, userId, before ?? beyondNewest, kind ?? null, limit + 1],
  });
  const { page: events, next } = pageOf(found, limit);
  return { events, next };
}

/** Refusals of the whole installation, for the operator: those without a known account are in no dashboard. */
export async function listAllSecurity({ kind, before, limit }: OperatorSecurityInput): Promise<object> {
  const found = await rows<SecurityEventRecord & { userId: string | null; identityId: string | null }>(pool(), {
    isoTimes: true,
    text: `SELECT ${columns}, user_id AS "userId", identity_id AS "identityId" FROM security_events
      WHERE id < $1 AND kind = coalesce($2, kind) ORDER BY id DESC LIMIT $3`,
    values: [before ?? beyondNewest, kind ?? null, limit + 1],
  });
  const { page: events, next } = pageOf(found, limit);
  return { events, next };
}
