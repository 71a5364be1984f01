import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { replyTo } from '@/server/features/conversations/reply.service';
import { prisma } from '@/server/platform/db/prisma';
import { transaction } from '@/server/platform/db/transaction';
import type { Examples, Own } from '@/server/testing/examples';

/** Mail of a message that could not be sent. */
async function failedMail({ actor, identityId, ids: { conversationId = '' } }: Own): Promise<string> {
  const { id: messageId } = await replyTo(actor, { conversationId, text: 'Hello', quote: false });
  await transaction({ kind: 'system', cause: 'delivery' }, async (client) => {
    await client.query(`UPDATE outbox_mails SET state = 'failed' WHERE identity_id = $1 AND message_id = $2`, [
      identityId,
      messageId,
    ]);
    await recordDelivery(client, identityId, messageId, 'failed', new Date());
  });
  return (await prisma().outboxMail.findFirstOrThrow({ where: { messageId } })).id;
}

async function quarantine(identityId: string, address: string, detail: string): Promise<string> {
  const data = {
    ...{ identityId, reason: 'unparsable', detail, source: 'smtp', sender: address, recipients: [address] },
    ...{ size: 1, sha256: 'a'.repeat(64), isTruncated: false },
  };
  return (await prisma().quarantinedMail.create({ data })).id;
}

export const examples: Examples = {
  own: {
    'mail.resend': async (own) => [{ mailId: await failedMail(own) }],
    'mail.removeQuarantined': async ({ identityId }) => [{ mailId: await quarantine(identityId, 'ann@quark.example', '') }],
  },
  foreign: {
    'mail.testMail': ({ mailId }) => [{ mailId }],
    'mail.outbox': ({ mailId }) => [{}, { before: mailId }, { state: 'queued' }],
    'mail.get': ({ mailId }) => [{ mailId }],
    'mail.resend': ({ mailId }) => [{ mailId }],
    'mail.quarantine': ({ quarantinedId }) => [{}, { before: quarantinedId }],
    'mail.removeQuarantined': ({ quarantinedId }) => [{ mailId: quarantinedId }],
  },
  withoutRecords: ['mail.testMail'],
  async fill({ as, identityId, known: { domain }, words }) {
    const [newest] = (await as.mail.outbox({})).emails;
    return { quarantinedId: await quarantine(identityId, `ann@${domain}`, words), mailId: newest?.id ?? '' };
  },
};
