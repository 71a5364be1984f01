import type { Metadata } from 'next';
import { cache } from 'react';
import { HydrateClient, prefetch, serverQueryClient, trpc } from '@/app/_trpc/server';
import { appErrorOf } from '@/server/platform/trpc/trpc';
import { ConversationNotFound } from '../_components/conversation-not-found';
import { subjectOf } from '../_components/conversation-words';
import { Thread } from '../_components/thread';
import { messagesInput } from '../messages-input';

interface ConversationPageProps {
  params: Promise<{ conversationId: string }>;
}

/** The conversation, null where there is none, undefined where that could not be found out. */
const loadConversation = cache(async (conversationId: string) => {
  try {
    return await serverQueryClient().fetchQuery(trpc.conversations.get.queryOptions({ conversationId }));
  } catch (error) {
    const { code } = appErrorOf(error);
    // A malformed id is as unknown as any other; everything else the page itself reports, with a way to try again.
    return code === 'not_found' || code === 'invalid_request' ? null : undefined;
  }
});

export async function generateMetadata({ params }: ConversationPageProps): Promise<Metadata> {
  const conversation = await loadConversation((await params).conversationId);
  if (conversation === null) return { title: 'Conversation not found' };
  return { title: conversation ? subjectOf(conversation.subject) : 'Conversation' };
}

/** One conversation beside the list. */
export default async function ConversationPage({ params }: ConversationPageProps) {
  const { conversationId } = await params;
  const [conversation] = await Promise.all([
    loadConversation(conversationId),
    prefetch(trpc.conversations.messages.queryOptions({ ...messagesInput(conversationId), offset: 0 })),
  ]);
  if (conversation === null) return <ConversationNotFound />;
  return (
    <HydrateClient>
      <Thread key={conversationId} conversationId={conversationId} />
    </HydrateClient>
  );
}
