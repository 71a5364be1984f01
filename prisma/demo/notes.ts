import { listAgents } from '@/server/features/agents/agent.service';
import { addNote, listNotes } from '@/server/features/conversations/note.service';
import type { IdentityActor, SystemActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { businessPeople } from './team';

/** What the demo's people and agents tell each other about conversations. */

interface DemoNote {
  /** Of the conversation. */
  subject: string;
  /** Email of a member, or the role id of an agent. */
  by: string;
  text: string;
  /** Emails of members. */
  mentions: readonly string[];
  hoursAgo: number;
}

const { mara, jonas, aylin } = businessPeople;

/** Of one conversation, the oldest first. */
const demoNotes: readonly DemoNote[] = [
  {
    subject: 'Offer for six company bikes',
    by: 'inbox-manager',
    text: 'They want to try an electric city bike on Friday at noon. The workshop calendar is free until one. Should I offer it?',
    mentions: [],
    hoursAgo: 1.1,
  },
  {
    subject: 'Offer for six company bikes',
    by: aylin,
    text: '@Mara Lindqvist, we have two city bikes at 10 % off this month. Can I put that into the offer for all six?',
    mentions: [mara],
    hoursAgo: 0.8,
  },
  {
    subject: 'Invoice 2026-1187: wrong address',
    by: jonas,
    text: 'New address is in the books since Monday. @Aylin Kaya, please send the corrected invoice once it is out of accounting.',
    mentions: [aylin],
    hoursAgo: 2.5,
  },
];

async function authorOf(
  { identityId }: SystemActor,
  by: string,
  agents: Map<string, { id: string; name: string }>,
): Promise<IdentityActor> {
  const agent = agents.get(by);
  if (agent) {
    const { ownerUserId, plan } = await prisma().identity.findUniqueOrThrow({ where: { id: identityId } });
    const key = { apiKeyId: agent.id, identityId, ownerUserId, plan, scopes: ['*'] };
    return { kind: 'apiKey', ...key, agent: { ...agent, status: 'active' } };
  }
  const { userId, role, user } = await prisma().membership.findFirstOrThrow({
    where: { identityId, user: { email: by } },
    include: { user: true },
  });
  return { kind: 'session', userId, sessionId: userId, name: user.displayName, identityId, role };
}

/** Adds the notes to conversations that have none. */
export async function seedNotes(actor: SystemActor): Promise<void> {
  const { identityId } = actor;
  const agents = new Map((await listAgents(actor, { limit: 100, offset: 0 })).agents.map((agent) => [agent.roleId, agent]));
  for (const subject of new Set(demoNotes.map((note) => note.subject))) {
    const { rows } = await pool().query<{ id: string }>(
      'SELECT id FROM conversations WHERE identity_id = $1 AND subject = $2 LIMIT 1',
      [identityId, subject],
    );
    const conversationId = rows[0]?.id;
    if (!conversationId || (await listNotes(actor, { conversationId, limit: 1, offset: 0 })).total > 0) continue;
    for (const { by, text, mentions, hoursAgo } of demoNotes.filter((note) => note.subject === subject)) {
      const members = await prisma().user.findMany({ where: { email: { in: [...mentions] } }, select: { id: true } });
      const author = await authorOf(actor, by, agents);
      const at = new Date(Date.now() - hoursAgo * 3_600_000);
      await addNote(author, { conversationId, text, mentions: members.map(({ id }) => id) }, at);
    }
  }
}
