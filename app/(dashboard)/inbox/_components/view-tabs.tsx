'use client';

import { useQueryStates } from 'nuqs';
import type { MouseEvent } from 'react';
import { isPlainClick } from '@/app/_kit/plain-click';
import { type InboxView, inboxSearchParams, inboxSearchQuery, inboxViews } from '../search-params';
import { useInbox } from './inbox-context';

const viewLabels: Record<InboxView, string> = {
  inbox: 'Inbox',
  unread: 'Unread',
  waiting: 'Waiting',
  archived: 'Archived',
  spam: 'Spam',
};

/** The sides of the inbox. They are links, so that each has an address; what else narrows the list stays. */
export function ViewTabs({ unread }: { unread: number }) {
  const { search } = useInbox();
  const [, setSearch] = useQueryStates(inboxSearchParams, { history: 'push' });
  const follow = (event: MouseEvent, view: InboxView) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    void setSearch({ view });
  };
  return (
    <nav aria-label="Views" className="-mx-2 mt-2 overflow-x-auto [scrollbar-width:none]">
      <ul className="flex">
        {inboxViews.map((view) => {
          const isCurrent = view === search.view;
          return (
            <li key={view}>
              <a
                href={`/inbox${inboxSearchQuery({ ...search, view })}`}
                aria-current={isCurrent ? 'true' : undefined}
                onClick={(event) => follow(event, view)}
                className={`flex h-9 items-center gap-1 border-b-2 px-1.5 text-label whitespace-nowrap -outline-offset-2 max-lg:px-2.5 min-[87.5rem]:px-2.5 ${
                  isCurrent ? 'border-accent font-medium text-foreground' : 'border-transparent text-muted hover:text-foreground'
                }`}
              >
                {viewLabels[view]}
                {view === 'unread' && unread > 0 && <span className="text-xs text-muted">{unread}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
