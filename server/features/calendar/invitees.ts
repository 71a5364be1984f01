import type pg from 'pg';
import { v7 } from 'uuid';
import { identities } from '@/server/platform/auth/accounts.sql';
import type { CreateEventInput } from './calendar.schema';
import type { EventRow } from './event.record';

type GivenInvitee = CreateEventInput['invitees'][number];

interface EventId {
  identityId: string;
  eventId: string;
}

/** Writes invitees in order; existing ones keep their id and response. The identity's own address counts as accepted. */
export async function writeInvitees(
  client: pg.PoolClient,
  { identityId, eventId }: EventId,
  list: readonly GivenInvitee[],
): Promise<void> {
  if (list.length === 0) return;
  const column = <T>(of: (invitee: GivenInvitee) => T) => list.map(of);
  await client.query({
    name: 'calendar-invitees-write',
    text: `INSERT INTO calendar_invitees (id, identity_id, event_id, email, name, is_optional, response, position)
      SELECT given.id, i.id, $2, given.email, given.name, given.is_optional,
        (CASE WHEN given.email = i.address THEN 'accepted' ELSE 'needs_action' END)::invitee_response, given.position
      FROM ${identities} i, unnest($3::uuid[], $4::text[], $5::text[], $6::bool[]) WITH ORDINALITY
        AS given(id, email, name, is_optional, position)
      WHERE i.id = $1
      ON CONFLICT (identity_id, event_id, email) DO UPDATE
        SET name = excluded.name, is_optional = excluded.is_optional, position = excluded.position
        WHERE (calendar_invitees.name, calendar_invitees.is_optional, calendar_invitees.position)
          IS DISTINCT FROM (excluded.name, excluded.is_optional, excluded.position)`,
    values: [
      identityId,
      eventId,
      column(() => v7()),
      column(({ email }) => email),
      column(({ name }) => name),
      column(({ isOptional }) => isOptional),
    ],
  });
}

export interface InviteeChange {
  /** New addresses. */
  added: string[];
  /** Removed invitees. */
  removed: EventRow['invitees'];
}

/** Replaces the list of invitees, matched by address (contract section 8); undefined keeps it. */
export async function replaceInvitees(
  client: pg.PoolClient,
  { identityId, id: eventId, invitees: before }: EventRow,
  list: readonly GivenInvitee[] | undefined,
): Promise<InviteeChange> {
  if (list === undefined) return { added: [], removed: [] };
  const kept = new Set(list.map(({ email }) => email));
  const known = new Set(before.map(({ email }) => email));
  const removed = before.filter(({ email }) => !kept.has(email));
  if (removed.length > 0) {
    await client.query({
      name: 'calendar-invitees-remove',
      text: 'DELETE FROM calendar_invitees WHERE identity_id = $1 AND event_id = $2 AND id = ANY($3::uuid[])',
      values: [identityId, eventId, removed.map(({ id }) => id)],
    });
  }
  await writeInvitees(client, { identityId, eventId }, list);
  return { added: list.map(({ email }) => email).filter((email) => !known.has(email)), removed };
}
