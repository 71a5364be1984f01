import { domainOf } from '@/server/features/addresses/address-claim.service';
import { moveAgents } from '@/server/features/agents/agent-domain.service';
import { addProvenAddress } from '@/server/testing/addresses';
import type { Examples } from '@/server/testing/examples';

export const examples: Examples = {
  own: {
    'agentMail.moveAgents': async ({ dns, actor }) => [{ domain: domainOf(await addProvenAddress(dns, actor)) }],
    'agentMail.removeAgentAddress': async ({ dns, actor, handle, ids: { agentId } }) => {
      await moveAgents(actor, domainOf(await addProvenAddress(dns, actor)));
      return [{ agentId, address: `theirs@${handle}.localhost` }];
    },
  },
  foreign: {
    'agentMail.moveAgents': ({ domain }) => [{ domain }],
    'agentMail.agentAddresses': ({ agentId }) => [{ agentId }],
    'agentMail.removeAgentAddress': ({ agentId, domain }) => [{ agentId, address: `earlier@${domain}` }],
  },
};
