'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { useTRPC } from '@/app/_trpc/client';
import { ContextSection } from './context-section';
import { subjectOf } from './conversation-words';
import { useInbox } from './inbox-context';

const shownThreads = 5;

/** Roughly: the schema's own rule would bring zod into every thread, and the server refuses the rest. */
const looksLikeAddress = /^[^\s@<>]+@[^\s@<>]+$/;

interface EarlierThreadsProps {
  email: string;
  /** The one that is open, which is left out. */
  conversationId: string;
}

/** What else was written with somebody, the latest first. Mail may come from what is no address; of that nothing is known. */
export function EarlierThreads({ email, conversationId }: EarlierThreadsProps) {
  const trpc = useTRPC();
  const { hrefOf } = useInbox();
  const { data } = useQuery(
    trpc.conversations.list.queryOptions(
      { participant: email, isArchived: true, limit: shownThreads + 1 },
      { enabled: looksLikeAddress.test(email) },
    ),
  );
  const threads = data?.conversations.filter(({ id }) => id !== conversationId).slice(0, shownThreads) ?? [];
  if (threads.length === 0) return null;
  return (
    <ContextSection title="Other conversations">
      <ul className="flex flex-col">
        {threads.map((thread) => (
          <li key={thread.id}>
            <Link
              href={hrefOf(thread.id)}
              prefetch={false}
              className="-mx-2 flex items-baseline gap-2 rounded-md px-2 py-1.5 text-label hover:bg-surface-hover"
            >
              <span className="min-w-0 flex-1 truncate" title={subjectOf(thread.subject)}>
                {subjectOf(thread.subject)}
              </span>
              <RelativeTime value={thread.lastMessageAt} className="shrink-0 text-xs text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </ContextSection>
  );
}
