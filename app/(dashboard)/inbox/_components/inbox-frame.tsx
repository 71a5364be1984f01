'use client';

import type { ReactNode } from 'react';
import { useLiveCounts } from '../../_components/use-live-counts';
import { isNarrowed } from '../search-params';
import { EmptyInbox } from './empty-inbox';
import { InboxContext } from './inbox-context';
import { ListPane } from './list-pane';
import { useInboxState } from './use-inbox';
import { useInboxKeys } from './use-inbox-keys';
import { useUnreadTitle } from './use-unread-title';

/** List and thread side by side; on a phone a page each. The list stays as it is while threads come and go. */
export function InboxFrame({ children }: { children: ReactNode }) {
  const inbox = useInboxState();
  const pulse = useLiveCounts();
  const { list, search, openId, shownId } = inbox;
  useUnreadTitle(pulse?.unread ?? 0);
  useInboxKeys({ next: () => inbox.walk(1), previous: () => inbox.walk(-1), ...(openId ? { close: inbox.close } : {}) });

  const hasNothing = pulse !== undefined && pulse.inbox + pulse.archived + pulse.spam === 0;
  if (hasNothing && openId === null && list.rows.length === 0 && !isNarrowed(search)) return <EmptyInbox />;
  return (
    <InboxContext value={inbox}>
      <div data-panes className="max-lg:-mx-4 max-lg:-mt-5 max-lg:sm:-mx-6 lg:flex lg:h-full">
        <section
          aria-label="Conversations"
          className={`flex min-w-0 flex-col lg:w-76 lg:shrink-0 lg:border-r lg:border-border min-[87.5rem]:w-90 ${shownId ? 'max-lg:hidden' : ''}`}
        >
          <ListPane unread={pulse?.unread ?? 0} />
        </section>
        <div className={`min-w-0 lg:flex-1 ${shownId ? '' : 'max-lg:hidden'}`}>{children}</div>
      </div>
    </InboxContext>
  );
}
