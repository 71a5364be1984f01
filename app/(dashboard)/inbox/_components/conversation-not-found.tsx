import { MailQuestion } from 'lucide-react';
import { ButtonLink } from '@/app/_components/button-link';

/** Stands where a conversation is unknown, or somebody else's. */
export function ConversationNotFound() {
  return (
    <div className="flex flex-col items-center px-6 py-20 text-center">
      <MailQuestion aria-hidden className="mb-3 size-6 text-muted" strokeWidth={1.75} />
      <h1 className="text-sm font-semibold">Conversation not found</h1>
      <p className="mt-1 mb-5 max-w-[46ch] text-muted">The link may be incomplete, or it belongs to another business of yours.</p>
      <ButtonLink href="/inbox">Show the inbox</ButtonLink>
    </div>
  );
}
