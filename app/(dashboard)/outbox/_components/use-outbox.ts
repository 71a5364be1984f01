'use client';

import { useTRPC } from '@/app/_trpc/client';
import { usePages } from '@/app/_trpc/use-pages';
import type { OutboxList } from '@/server/features/mail/mail.schema';
import { useFramePulse } from '../../_components/use-frame-pulse';
import { type OutboxSearch, outboxInput } from '../search-params';

const refreshMilliseconds = 5_000;

const mailsOf = (page: OutboxList) => page.mails;
const isMoving = (page: OutboxList | undefined) => page !== undefined && page.counts.queued + page.counts.sending > 0;

/** The mails of the outbox, page after page. Asks again every five seconds while one is on its way, and when the pulse says so. */
export function useOutbox(search: OutboxSearch) {
  const trpc = useTRPC();
  const pulse = useFramePulse();
  const input = outboxInput(search);
  const { items, firstPage, ...pages } = usePages({
    queryKey: trpc.mail.outbox.queryKey(input),
    pageAt: (before: string | null) => trpc.mail.outbox.queryOptions({ ...input, ...(before ? { before } : {}) }),
    first: null,
    next: (last) => last.next,
    itemsOf: mailsOf,
    keepsPrevious: true,
    news: pulse && `${pulse.version} ${pulse.waitingMails} ${pulse.failedMails}`,
    refetchInterval: (first) => (isMoving(first) ? refreshMilliseconds : false),
  });
  return {
    ...pages,
    mails: items,
    counts: firstPage?.counts,
    canSend: firstPage?.canSend ?? true,
    /** How many messages that came in could not be taken in. */
    quarantined: pulse?.quarantined ?? 0,
  };
}
