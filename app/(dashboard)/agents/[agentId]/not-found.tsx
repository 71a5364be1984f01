import { AgentNotFound } from '../_components/agent-not-found';

export default function NotFound() {
  return <AgentNotFound />;
}
