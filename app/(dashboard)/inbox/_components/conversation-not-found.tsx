import { MailQuestion } from 'lucide-react';
import { ButtonLink } from '@/app/_kit/button-link';
import { EmptyState } from '@/app/_kit/empty-state';

/** Shown if a conversation does not exist or belongs to another business. */
export function ConversationNotFound() {
  return (
    <EmptyState
      heading="h1"
      icon={MailQuestion}
      title="Conversation not found"
      description="The link may be incomplete, or it belongs to another of your businesses."
      action={<ButtonLink href="/inbox">Go to inbox</ButtonLink>}
    />
  );
}
