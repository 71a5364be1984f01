import { whitelistedAddresses } from '@/server/features/addresses/address.sql';
import { agents } from '@/server/features/agents/agent.sql';
import { blogPosts } from '@/server/features/blog/blog.sql';
import { calendarEvents } from '@/server/features/calendar/calendar.sql';
import { messages } from '@/server/features/conversations/conversation.sql';
import { customers } from '@/server/features/customers/customer.sql';
import { mailboxAddresses } from '@/server/features/mailboxes/mailbox.sql';
import { outboxMails } from '@/server/features/outbox/outbox.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { apiKeys, identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import type { FirstSteps } from './home.schema';

interface Facts {
  hasProfile: boolean;
  hasUsedKey: boolean;
  hasAddress: boolean;
  hasMailbox: boolean;
  hasSendingMailbox: boolean;
  hasReceivedMail: boolean;
  hasAgentVoice: boolean;
  hasSentReply: boolean;
  hasCustomer: boolean;
  hasPublication: boolean;
  agentId: string | null;
}

/** One statement; each part reads the first row of an existing index. */
async function readFacts(identityId: string): Promise<Facts> {
  const [facts] = await rows<Facts>(pool(), {
    name: 'home-first-steps',
    text: `SELECT coalesce(i.profile->>'about', '') <> '' OR coalesce(i.profile->>'tagline', '') <> '' AS "hasProfile",
        EXISTS (SELECT 1 FROM ${apiKeys} api_keys WHERE identity_id = i.id AND last_used_at IS NOT NULL) AS "hasUsedKey",
        coalesce(i.address NOT LIKE '%.localhost', false) OR EXISTS (
          SELECT 1 FROM ${whitelistedAddresses} whitelisted_addresses WHERE identity_id = i.id AND status = 'proven' AND address NOT LIKE '%.localhost'
        ) AS "hasAddress",
        EXISTS (SELECT 1 FROM ${mailboxAddresses} mailboxes WHERE identity_id = i.id) AS "hasMailbox",
        EXISTS (SELECT 1 FROM ${mailboxAddresses} mailboxes WHERE identity_id = i.id AND sends) AS "hasSendingMailbox",
        EXISTS (SELECT 1 FROM ${messages} messages WHERE identity_id = i.id AND direction = 'inbound') AS "hasReceivedMail",
        EXISTS (SELECT 1 FROM ${agents} agents WHERE identity_id = i.id AND status <> 'archived' AND updated_at IS NOT NULL) AS "hasAgentVoice",
        EXISTS (SELECT 1 FROM ${outboxMails} outbox_mails WHERE identity_id = i.id AND state = 'sent' AND kind = 'reply') AS "hasSentReply",
        EXISTS (SELECT 1 FROM ${customers} customers WHERE identity_id = i.id) AS "hasCustomer",
        EXISTS (SELECT 1 FROM ${calendarEvents} calendar_events WHERE identity_id = i.id)
          OR EXISTS (SELECT 1 FROM ${blogPosts} blog_posts WHERE identity_id = i.id AND status = 'published') AS "hasPublication",
        (SELECT id FROM ${agents} agents WHERE identity_id = i.id AND status <> 'archived' ORDER BY name_key, id LIMIT 1) AS "agentId"
      FROM ${identities} i WHERE i.id = $1`,
    values: [identityId],
  });
  if (!facts) throw new AppError('identity_not_found', 'The identity no longer exists.');
  return facts;
}

/**
 * Progress of a business since `/setup`. An agent's persona counts once someone has changed the default. Addresses at `.localhost`
 * do not count: nobody outside can write to them (RFC 6761, section 6.3).
 *
 * @throws AppError identity_not_found
 */
export async function getFirstSteps(actor: IdentityActor): Promise<FirstSteps> {
  const facts = await readFacts(actor.identityId);
  const { INBOUND_SMTP_PORT, INBOUND_SECRET } = env();
  const takesMail = INBOUND_SMTP_PORT !== undefined || INBOUND_SECRET !== undefined;
  const missingOutbound = canSendMail() || facts.hasSendingMailbox ? null : ('SMTP_URL' as const);
  const free = (name: FirstSteps['steps'][number]['name'], isDone: boolean) => ({ name, isDone, missingSetting: null });
  return {
    steps: [
      free('profile', facts.hasProfile),
      free('mailIn', facts.hasMailbox || (facts.hasAddress && takesMail)),
      free('firstMail', facts.hasReceivedMail),
      free('agentVoice', facts.hasAgentVoice),
      { name: 'firstReply', isDone: facts.hasSentReply, missingSetting: missingOutbound },
      free('firstCustomer', facts.hasCustomer),
      free('firstPublication', facts.hasPublication),
      free('apiCall', facts.hasUsedKey),
    ],
    agentId: facts.agentId,
  };
}
