import { AlarmClock, Archive, CircleCheck, Inbox as InboxIcon, SearchX, ShieldCheck, Trash2 } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { type InboxView, inboxSearchParams, isNarrowed } from '../search-params';
import { useInbox } from './inbox-context';

const emptyViews: Record<
  Exclude<InboxView, 'drafts' | 'scheduled'>,
  { icon: typeof Archive; title: string; description: string }
> = {
  inbox: { icon: InboxIcon, title: 'Your inbox is empty', description: 'New email appears here automatically.' },
  unread: { icon: CircleCheck, title: 'No unread conversations', description: 'New email appears here automatically.' },
  waiting: {
    icon: CircleCheck,
    title: 'Nothing needs you',
    description: 'Conversations that need you appear here.',
  },
  snoozed: {
    icon: AlarmClock,
    title: 'Nothing is snoozed',
    description: 'Snoozed conversations stay here until their time, or until a reply.',
  },
  archived: { icon: Archive, title: 'No archived conversations', description: 'Archived conversations appear here.' },
  spam: { icon: ShieldCheck, title: 'No spam', description: 'Conversations you mark as spam appear here.' },
  trash: { icon: Trash2, title: 'Trash is empty', description: 'Deleted conversations stay here for 30 days.' },
};

const allAnswered = {
  icon: CircleCheck,
  title: 'Everything is answered',
  description: 'Conversations whose other side waits for an answer appear here.',
};

const searchHint =
  'All words have to be in one message. You can also use from: to: subject: has:attachment label: after: before: -word “a phrase”.';

/**
 * Shown if no conversation matches; says why and what to do about it.
 * @param problem what is wrong with the search, as it reads after its name
 */
export function EmptyList({ problem }: { problem?: string }) {
  const { search } = useInbox();
  const [, setSearch] = useQueryStates(inboxSearchParams, { history: 'push' });
  if (isNarrowed(search)) {
    return (
      <EmptyState
        icon={SearchX}
        title={problem ? 'This search can’t be run' : 'No results'}
        description={problem ? `It ${problem}.` : search.q ? searchHint : undefined}
        action={
          <Button
            variant="secondary"
            onPress={() => void setSearch({ q: null, status: null, agent: null, label: null, assignee: null })}
          >
            Clear search and filters
          </Button>
        }
      />
    );
  }
  const { view, sort } = search;
  if (view === 'drafts' || view === 'scheduled') return null;
  return (
    <EmptyState
      {...(sort === 'waiting' ? allAnswered : emptyViews[view])}
      action={
        (view !== 'inbox' || sort !== null) && (
          <Button variant="secondary" onPress={() => void setSearch({ view: null, sort: null })}>
            Go to inbox
          </Button>
        )
      }
    />
  );
}
