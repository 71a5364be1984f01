import { listConversationsInput } from '@/server/features/conversations/conversation.schema';
import { listConversations } from '@/server/features/conversations/conversation.service';
import { updateConversation } from '@/server/features/conversations/conversation-update.service';
import { createTestIdentity } from './identity';
import { deliver } from './mail';

let created = 0;

/** An identity with an address and a further one, on a unique mail domain, and helpers that list its conversations. */
export async function createTestDesk() {
  const domain = `here${++created}.example`;
  const [address, sales] = [`desk@${domain}`, `sales@${domain}`];
  const desk = await createTestIdentity({ address, whitelist: [{ handle: 'sales', address: sales }] });
  const list = (filter: Record<string, unknown> = {}) => listConversations(desk.actor, listConversationsInput.parse(filter));
  const subjects = async (filter: Record<string, unknown> = {}) =>
    (await list(filter)).conversations.map(({ subject }) => subject);
  return { ...desk, domain, address, sales, list, subjects };
}

/** Adds four conversations, a day apart: one in the inbox, one read, one archived, one spam. */
export async function createFilledDesk() {
  const desk = await createTestDesk();
  const ids: string[] = [];
  for (const [index, subject] of ['First', 'Second', 'Third 100%', 'Fourth'].entries()) {
    const receivedAt = new Date(Date.UTC(2026, 0, 10 + index));
    const { conversationId } = await deliver(
      { headers: { Subject: subject }, body: `Body of ${index}` },
      { to: desk.address, receivedAt },
    );
    ids.push(conversationId);
  }
  await updateConversation(desk.actor, { conversationId: ids[1] ?? '', isRead: true, status: 'completed' });
  await updateConversation(desk.actor, { conversationId: ids[2] ?? '', isArchived: true });
  await updateConversation(desk.actor, { conversationId: ids[3] ?? '', isSpam: true });
  return { ...desk, ids };
}
