import { feature } from '@/server/platform/feature';
import { agentMailRouter } from './agent-mail.router';

export const ownAddresses = feature({
  name: 'own-addresses',
  routers: { agentMail: agentMailRouter },
});
