import { feature } from '@/server/platform/feature';
import { agentsRouter } from './agent.router';

export const agents = feature({
  name: 'agents',
  routers: { agents: agentsRouter },
  api: {
    tags: [
      {
        name: 'Agents',
        description: 'AI agents that answer email: their persona, and who they contact when they need a person.',
      },
    ],
  },
  tables: [
    // The key of an agent works while its agent does.
    { names: ['agents'], sharedWith: ['platform/auth'] },
    { names: ['escalation_routes', 'agent_addresses'] },
  ],
});
