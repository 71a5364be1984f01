'use client';

import { Archive, CircleCheck, Inbox as InboxIcon, SearchX, ShieldCheck } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { type InboxView, inboxSearchParams, isNarrowed } from '../search-params';
import { useInbox } from './inbox-context';

const emptyViews: Record<InboxView, { icon: typeof Archive; title: string; description: string }> = {
  inbox: { icon: InboxIcon, title: 'Nothing in the inbox', description: 'New mail appears here by itself.' },
  unread: { icon: CircleCheck, title: 'Everything is read', description: 'New mail appears here by itself.' },
  waiting: {
    icon: CircleCheck,
    title: 'Nothing waits for you',
    description: 'Conversations that need an answer or a decision from you stand here.',
  },
  archived: { icon: Archive, title: 'Nothing archived', description: 'What is archived leaves the inbox and is kept here.' },
  spam: { icon: ShieldCheck, title: 'No spam', description: 'What you mark as spam leaves the inbox and is kept here.' },
};

/** Stands where no conversation is to be shown, and says why and what to do about it. */
export function EmptyList() {
  const { search } = useInbox();
  const [, setSearch] = useQueryStates(inboxSearchParams, { history: 'push' });
  if (isNarrowed(search)) {
    return (
      <EmptyState
        icon={SearchX}
        title="No conversation matches"
        description="The search looks at the subject, the beginning of the newest message, and who wrote."
        action={
          <Button variant="secondary" onPress={() => void setSearch({ q: null, status: null, agent: null })}>
            Clear search and filters
          </Button>
        }
      />
    );
  }
  const { view } = search;
  return (
    <EmptyState
      {...emptyViews[view]}
      action={
        view !== 'inbox' && (
          <Button variant="secondary" onPress={() => void setSearch({ view: null })}>
            Show the inbox
          </Button>
        )
      }
    />
  );
}
