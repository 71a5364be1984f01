import { identities, users } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { ownAddresses, sendersOf } from '../mailboxes/own-address.service';
import type { EventRow } from './event.record';

/** In whose name an event's mails are written, and whom else they concern. */
export interface EventSender {
  /** From, and ORGANIZER in calendars: answers by mail come back there. */
  email: string;
  /** The agent's name where one brands the event, else the business'. */
  name: string;
  businessName: string;
  /** Of the agent; plain text, or ''. */
  signature: string;
  /** Whom the owner's reminders go to. */
  owner: { email: string };
}

interface IdentityRow {
  handle: string;
  displayName: string | null;
  ownerEmail: string;
}

/** Three statements. */
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
    // An identity without any address can't be answered, but its mails say whose they are.
    email: sendersOf(own, null)[0]?.email ?? `calendar@${identity.handle}.localhost`,
    name: agent?.name ?? businessName,
    businessName,
    signature: agent?.signature ?? '',
    owner: { email: identity.ownerEmail },
  };
}
