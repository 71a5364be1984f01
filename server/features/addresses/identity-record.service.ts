import type pg from 'pg';
import { type Change, change, emit } from '@/server/features/events/emit.service';
import type { Author } from '@/server/platform/actor';
import { lockRevision } from '@/server/platform/db/record-version';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { type PrismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { shownStatus } from './address-claim.service';
import { identityEvents } from './identity.events.schema';
import type { IdentityRecord } from './identity-record.schema';

interface RecordRow extends Omit<IdentityRecord, 'createdAt' | 'updatedAt' | 'contextualFromAddress'> {
  createdAt: Date;
  updatedAt: Date | null;
}

const recordQuery = `SELECT i.id, i.handle, i.address, i.scope, i.display_name AS "displayName", i.profile, (
    SELECT json_agg(json_build_object(
      'handle', w.handle, 'address', w.address, 'description', w.description, 'status', ${shownStatus}
    ) ORDER BY w.created_at, w.id) FROM whitelisted_addresses w WHERE w.identity_id = i.id
  ) AS "whitelistedAddresses", i.revision, i.created_at AS "createdAt", i.updated_at AS "updatedAt"
  FROM identities i WHERE i.id = ANY($1::uuid[]) AND i.erased_at IS NULL ORDER BY i.id`;

const lockQuery = 'SELECT 1 FROM identities WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE';

export const identityVersion: RecordVersion<unknown, IdentityRecord> = {
  lock: (db, { identityId }) =>
    lockRevision(db, {
      name: 'identity-revision',
      text: 'SELECT revision FROM identities WHERE id = $1::uuid AND erased_at IS NULL FOR NO KEY UPDATE',
      values: [identityId],
    }),
  // The status of an address depends also on who else has it.
  others: ({ whitelistedAddresses, contextualFromAddress }) => [
    whitelistedAddresses?.map(({ status }) => status),
    contextualFromAddress,
  ],
};

/** Identities as `GET /identity` answers them, without an address for a conversation. Deleted ones are missing. */
export async function readIdentities(db: Queryable | PrismaTransaction, ids: readonly string[]): Promise<IdentityRecord[]> {
  const found =
    '$queryRawUnsafe' in db
      ? await db.$queryRawUnsafe<RecordRow[]>(recordQuery, ids)
      : await rows<RecordRow>(db, { name: 'identity-record', text: recordQuery, values: [ids] });
  return found.map(({ createdAt, updatedAt, ...record }) => ({
    ...record,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt?.toISOString() ?? null,
  }));
}

/**
 * Locks identities before they or their addresses change, and notes how they are.
 *
 * @returns writes an event for each that has changed since; call it last
 */
export async function beforeIdentitiesChange(
  db: pg.PoolClient | PrismaTransaction,
  ids: readonly string[],
): Promise<(author: Author) => Promise<void>> {
  const isPrisma = '$queryRawUnsafe' in db;
  if (isPrisma) await db.$queryRawUnsafe(lockQuery, ids);
  else await db.query({ name: 'identity-record-lock', text: lockQuery, values: [ids] });
  const before = new Map((await readIdentities(db, ids)).map((record) => [record.id, record]));
  return async (author) => {
    for (const object of await readIdentities(db, ids)) {
      const { id } = object;
      const updated: Change = change({ kind: identityEvents, type: 'identity.updated', id, object, previous: before.get(id) });
      await emit(isPrisma ? rawStatements(db) : db, author, updated, { identityId: id });
    }
  };
}
