import { prisma } from '@/server/platform/db/prisma';
import type { Examples } from '@/server/testing/examples';
import { createAgent } from '../agent.service';

export const examples: Examples = {
  bodies: {
    'agents.update': { name: 'Changed' },
    'agents.updateHitl': { routes: [{ level: 1 }] },
  },
  records: {
    parameters: ['agentId'],
    create: async ({ actor }) => ({
      agentId: (await createAgent(actor, { name: 'Theirs', roleId: 'theirs', kind: 'assistant' })).id,
    }),
  },
  own: {
    'agents.create': () => [{ name: 'Another', roleId: 'another' }],
    'agents.duplicate': ({ ids: { agentId } }) => [{ agentId }],
  },
  foreign: {
    'agents.list': () => [{}, { query: 'secret' }],
    'agents.create': () => [{ name: 'Mine', roleId: 'mine' }],
    'agents.duplicate': ({ agentId }) => [{ agentId }],
  },
  async fill({ as, identityId, known: { marker, domain }, words }) {
    const { id: agentId } = await as.agents.create({ name: words, roleId: `${marker}-role` });
    await prisma().agentAddress.create({ data: { identityId, agentId, address: `earlier@${domain}` } });
    await as.agents.update({ agentId, tags: [marker], persona: { bio: words, signature: words } });
    await as.agents.updateHitl({ agentId, routes: [{ level: 1, label: words, instructions: words, toRole: marker }] });
    return { agentId };
  },
  rules: [
    {
      operation: /hitl$/,
      problem: /contactInfo\.(phone|slack): is required for the channel/,
      why: 'a channel needs its address',
    },
    { operation: /hitl$/, problem: /channels\.\d+: is given twice|level: is used twice/, why: 'lists without repetition' },
  ],
};
