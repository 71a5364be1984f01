import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { listAgents } from '@/server/features/agents/agent.service';
import { blockSender } from '@/server/features/conversations/blocked-sender.service';
import { updateConversation } from '@/server/features/conversations/conversation-update.service';
import { replyInput } from '@/server/features/conversations/message.schema';
import { replyTo } from '@/server/features/conversations/reply.service';
import { deleteConversation } from '@/server/features/conversations/trash.service';
import { receiveMail } from '@/server/features/mail/inbound.service';
import type { SystemActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { receiveRawMail } from '@/server/platform/mail/raw-mail';
import { business } from './business';
import { demoThreads } from './conversations';
import { seedLabels } from './labels';
import type { DemoMessage, DemoReply, DemoThread } from './thread';

/** The demo's mail: real messages through the one way in, real replies through the outbox. */

interface Person {
  name: string;
  email: string;
}

/** The first contacts of the demo's customers, in their order. */
export type DemoContacts = readonly { email: string; displayName: string }[];

function personOf({ from }: DemoThread, contacts: DemoContacts): Person {
  if (!('customer' in from)) return from;
  const contact = contacts[from.customer % contacts.length];
  return { name: contact?.displayName ?? '', email: contact?.email ?? 'somebody@post.example' };
}

const hour = 60 * 60 * 1000;

interface Sending {
  thread: DemoThread;
  person: Person;
  messageId: string;
  /** Message-IDs of the thread so far. */
  references: string[];
  at: Date;
}

function bytesOf(message: DemoMessage, { thread, person, messageId, references, at }: Sending): Promise<Buffer> {
  const composer = new MailComposer({
    from: { name: person.name, address: person.email },
    to: thread.to,
    ...(message.cc ? { cc: message.cc } : {}),
    subject: references.length === 0 ? thread.subject : `Re: ${thread.subject}`,
    messageId,
    date: at,
    ...(references.length > 0 ? { inReplyTo: references.at(-1), references } : {}),
    headers: message.headers ?? {},
    text: message.text,
    ...(message.html ? { html: message.html } : {}),
    attachments: (message.files ?? []).map(({ filename, contentType, content, contentId }) => ({
      filename,
      contentType,
      content,
      ...(contentId ? { cid: contentId } : {}),
    })),
  });
  return composer.compile().build();
}

async function receive(message: DemoMessage, sending: Sending): Promise<string> {
  const raw = await receiveRawMail(Readable.from([await bytesOf(message, sending)]), { drainExcess: true });
  const envelope = { source: 'smtp', sender: sending.person.email, recipients: [sending.thread.to] } as const;
  const reception = await receiveMail(
    raw,
    { ...envelope, recipients: [...envelope.recipients] },
    { receivedAt: sending.at },
  ).finally(raw.discard);
  const [delivery] = reception.kind === 'stored' ? reception.deliveries : [];
  if (!delivery) throw new Error(`The demo's message “${sending.thread.subject}” was not stored.`);
  return delivery.conversationId;
}

async function answer(
  actor: SystemActor,
  conversationId: string,
  reply: DemoReply,
  { at, agentIds, now }: { at: Date; agentIds: Map<string, string>; now: number },
): Promise<string> {
  const sendAt = reply.sendInHours && new Date(now + reply.sendInHours * hour).toISOString();
  const agentId = reply.roleId ? (agentIds.get(reply.roleId) ?? null) : null;
  const message = await replyTo(actor, replyInput.parse({ conversationId, text: reply.reply, agentId, sendAt }), at);
  return message.messageIdHeader;
}

async function hasReplies(actor: SystemActor, conversationId: string): Promise<boolean> {
  const found = await pool().query(
    `SELECT 1 FROM messages WHERE identity_id = $1 AND conversation_id = $2 AND direction = 'outbound' LIMIT 1`,
    [actor.identityId, conversationId],
  );
  return found.rowCount === 1;
}

async function seedThread(
  actor: SystemActor,
  thread: DemoThread,
  context: { number: number; contacts: DemoContacts; agentIds: Map<string, string>; labelIds: Map<string, string>; now: number },
): Promise<void> {
  const person = personOf(thread, context.contacts);
  const references: string[] = [];
  let conversationId: string | undefined;
  let isAnswered = false;
  for (const [index, message] of thread.messages.entries()) {
    const at = new Date(context.now - message.hoursAgo * hour);
    if ('reply' in message) {
      if (!conversationId) continue;
      if (!isAnswered && (await hasReplies(actor, conversationId))) return;
      isAnswered = true;
      references.push(await answer(actor, conversationId, message, { ...context, at }));
    } else {
      const messageId = `<demo-${context.number}-${index}@${person.email.split('@')[1]}>`;
      conversationId = await receive(message, { thread, person, messageId, references, at });
      references.push(messageId);
    }
  }
  if (conversationId && thread.isTrashed) await deleteConversation(actor, { conversationId, permanent: false });
  const { changes, snoozeInHours, labels = [] } = thread;
  if (!conversationId || !(changes || snoozeInHours || labels.length > 0 || thread.assignee)) return;
  const addLabels = labels.flatMap((name) => context.labelIds.get(name) ?? []);
  const assignee = thread.assignee && (await assigneeOf(thread.assignee, context.agentIds));
  const snoozedUntil = snoozeInHours && new Date(context.now + snoozeInHours * hour).toISOString();
  await updateConversation(actor, { conversationId, ...changes, ...(snoozedUntil && { snoozedUntil }), addLabels, assignee });
}

/** The member or agent that a thread names. */
async function assigneeOf(
  named: NonNullable<DemoThread['assignee']>,
  agentIds: Map<string, string>,
): Promise<{ type: 'member' | 'agent'; id: string } | undefined> {
  if ('roleId' in named) {
    const id = agentIds.get(named.roleId);
    return id === undefined ? undefined : { type: 'agent', id };
  }
  const user = await prisma().user.findUnique({ where: { email: named.email }, select: { id: true } });
  return user ? { type: 'member', id: user.id } : undefined;
}

/** A message that no program reads, such as spammers send: it ends in quarantine. */
async function seedQuarantine(): Promise<void> {
  const lines = [
    'From: Prize Department <win@lucky-draws.example>',
    `To: ${business.address}`,
    'Subject: Your documents',
    'Message-ID: <demo-unreadable@lucky-draws.example>',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    ...Array.from({ length: 1_200 }, () => '--x\r\nContent-Type: text/plain\r\n\r\nSee the next part.'),
    '--x--',
  ];
  const raw = await receiveRawMail(Readable.from([Buffer.from(lines.join('\r\n'))]), { drainExcess: true });
  await receiveMail(raw, { source: 'smtp', sender: 'win@lucky-draws.example', recipients: [business.address] }).finally(
    raw.discard,
  );
}

/** Messages from the past were sent in the past, not now. */
async function settlePast(actor: SystemActor): Promise<void> {
  await pool().query(
    `WITH settled AS (
       UPDATE outbox_mails o SET state = 'sent', attempts = 1, sent_at = m.created_at, last_attempt_at = m.created_at,
         created_at = m.created_at, draft = NULL, response = '250 2.0.0 Ok', delivered = o.recipients,
         delivery_log = jsonb_build_array(jsonb_build_object('kind', 'attempt', 'at', m.created_at, 'delivered', o.recipients,
           'refusals', '{}'::jsonb, 'error', NULL, 'response', '250 2.0.0 Ok'))
       FROM messages m WHERE o.identity_id = $1 AND m.identity_id = $1 AND m.id = o.message_id AND o.state = 'queued' AND o.send_at IS NULL
         AND m.created_at < now() - interval '1 hour'
       RETURNING m.id, m.created_at
     )
     UPDATE messages m SET status = 'sent', sent_at = settled.created_at FROM settled WHERE m.identity_id = $1 AND m.id = settled.id`,
    [actor.identityId],
  );
}

/** Fills the inbox; what is there already stays as it is. */
export async function seedMail(actor: SystemActor, contacts: DemoContacts): Promise<void> {
  const { agents } = await listAgents(actor, { limit: 100, offset: 0 });
  const agentIds = new Map(agents.map(({ roleId, id }) => [roleId, id]));
  const labelIds = await seedLabels(actor);
  const now = Date.now();
  // From the oldest to the newest, as it came.
  for (const [number, thread] of [...demoThreads].reverse().entries()) {
    await seedThread(actor, thread, { number, contacts, agentIds, labelIds, now });
  }
  await settlePast(actor);
  await seedQuarantine();
  for (const sender of ['lucky-draws.example', 'service@parcels-and-fees.example']) await blockSender(actor, { sender });
}
