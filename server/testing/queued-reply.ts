import { replyInput } from '@/server/features/conversations/message.schema';
import { replyTo } from '@/server/features/conversations/reply.service';
import { prisma } from '@/server/platform/db/prisma';
import type { TestIdentity } from './identity';
import { deliver } from './mail';

interface Reply {
  /** The From header of the message it answers. */
  from?: string;
  cc?: string[];
  text?: string;
}

/** A queued reply, by default to Ann. `id` is that of its row in the outbox. */
export async function queueReply(desk: TestIdentity, to: string, { from, ...input }: Reply = {}) {
  const { conversationId } = await deliver(from === undefined ? {} : { headers: { From: from } }, { to });
  const message = await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'Grüße', ...input }));
  const { id } = await prisma().outboxMail.findFirstOrThrow({ where: { messageId: message.id }, select: { id: true } });
  return { id, message, conversationId };
}
