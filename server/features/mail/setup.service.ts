import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { env } from '@/server/platform/env';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import { addressesOfAgent, ownAddresses } from '../own-addresses/own-address.service';
import type { MailSetup } from './mail.schema';

/** Addresses and ports at which this identity receives mail, and whether mail can be sent. */
export async function getMailSetup(actor: IdentityActor): Promise<MailSetup> {
  const own = await ownAddresses(pool(), actor.identityId);
  const { INBOUND_SMTP_PORT, INBOUND_SECRET } = env();
  return {
    addresses: [
      ...(own.address === null ? [] : [own.address]),
      ...own.whitelisted,
      ...own.agents.filter(({ status }) => status !== 'archived').flatMap(addressesOfAgent),
    ],
    mailboxes: own.read,
    smtpPort: INBOUND_SMTP_PORT ?? null,
    acceptsHttp: INBOUND_SECRET !== undefined,
    canSend: canSendMail(),
  };
}
