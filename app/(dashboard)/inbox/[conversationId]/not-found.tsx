import { ConversationNotFound } from '../_components/conversation-not-found';

export default function NotFound() {
  return <ConversationNotFound />;
}
