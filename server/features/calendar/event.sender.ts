import { identities, users } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { ownAddresses, sendersOf } from '../own-addresses/own-address.service';
import type { EventRow } from './event.record';

/** The sender and owner of an event's mails. */
export interface EventSender {
  /** From address, and ORGANIZER in calendars: replies by mail go there. */
  email: string;
  /** The agent's name if the event has one, else the business'. */
  name: string;
  businessName: string;
  /** The agent's signature; plain text, or ''. */
  signature: string;
  /** Recipient of the owner's reminders. */
  owner: { email: string };
}

interface IdentityRow {
  handle: string;
  displayName: string | null;
  ownerEmail: string;
}

/** Runs three statements. */
export async function senderOf(db: Queryable, { identityId, agentId }: EventRow): Promise<EventSender> {
  const [identity] = await rows<IdentityRow>(db, {
    name: 'calendar-identity',
    text: `SELECT i.handle, i.display_name AS "displayName", u.email AS "ownerEmail"
      FROM ${identities} i JOIN ${users} u ON u.id = i.owner_user_id WHERE i.id = $1`,
    values: [identityId],
  });
  if (!identity) throw new Error('An event has an identity.');
  const own = await ownAddresses(db, identityId);
  const agent = own.agents.find(({ id }) => id === agentId);
  const businessName = identity.displayName || identity.handle;
  return {
    // An identity without any address can't receive replies, but this address still identifies it.
    email: sendersOf(own, null)[0]?.email ?? `calendar@${identity.handle}.localhost`,
    name: agent?.name ?? businessName,
    businessName,
    signature: agent?.signature ?? '',
    owner: { email: identity.ownerEmail },
  };
}
