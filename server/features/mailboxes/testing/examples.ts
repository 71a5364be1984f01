import { domainOf } from '@/server/features/addresses/address-claim.service';
import { moveAgents } from '@/server/features/agents/agent-domain.service';
import { addProvenAddress } from '@/server/testing/addresses';
import type { Examples } from '@/server/testing/examples';

export const examples: Examples = {
  own: {
    'mailboxes.moveAgents': async ({ dns, actor }) => [{ domain: domainOf(await addProvenAddress(dns, actor)) }],
    'mailboxes.removeAgentAddress': async ({ dns, actor, handle, ids: { agentId } }) => {
      await moveAgents(actor, domainOf(await addProvenAddress(dns, actor)));
      return [{ agentId, address: `theirs@${handle}.localhost` }];
    },
  },
  foreign: {
    'mailboxes.moveAgents': ({ domain }) => [{ domain }],
    'mailboxes.agentAddresses': ({ agentId }) => [{ agentId }],
    'mailboxes.removeAgentAddress': ({ agentId, domain }) => [{ agentId, address: `earlier@${domain}` }],
  },
};
