import type { Metadata } from 'next';
import { cache } from 'react';
import { recordOrNull } from '@/app/_trpc/page-data';
import { HydrateClient, prefetch, serverQueryClient, trpc } from '@/app/_trpc/server';
import { subjectOf } from '../_components/conversation-labels';
import { ConversationNotFound } from '../_components/conversation-not-found';
import { Thread } from '../_components/thread';
import { messagesInput } from '../messages-input';

interface ConversationPageProps {
  params: Promise<{ conversationId: string }>;
}

const loadConversation = cache((conversationId: string) =>
  recordOrNull(serverQueryClient().fetchQuery(trpc.conversations.get.queryOptions({ conversationId }))),
);

export async function generateMetadata({ params }: ConversationPageProps): Promise<Metadata> {
  const conversation = await loadConversation((await params).conversationId);
  if (conversation === null) return { title: 'Conversation not found' };
  return { title: conversation ? subjectOf(conversation.subject) : 'Conversation' };
}

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
