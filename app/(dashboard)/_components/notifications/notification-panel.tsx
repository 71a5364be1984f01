import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AlarmClock, AtSign, BellOff, Hand, HardDrive, type LucideIcon, MailX, Unplug, UserCheck } from 'lucide-react';
import Link from 'next/link';
import { EmptyState } from '@/app/_kit/empty-state';
import { ListBody } from '@/app/_kit/list-body';
import { LoadMore } from '@/app/_kit/load-more';
import { Sheet, SheetBody, SheetFooter, SheetHeader } from '@/app/_kit/overlay/sheet';
import { PendingButton } from '@/app/_kit/pending-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { useCursorPages } from '@/app/_trpc/use-pages';
import type { NotificationKind, NotificationRecord } from '@/server/features/notifications/notification.schema';
import { notificationPath } from '@/server/features/notifications/notification-path';
import { useUnread } from './use-unread';

const icons: Record<NotificationKind, LucideIcon> = {
  assigned: UserCheck,
  mentioned: AtSign,
  escalation: Hand,
  failed_email: MailX,
  snooze_ended: AlarmClock,
  mailbox: Unplug,
  storage: HardDrive,
};

function useMarkRead() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.notifications.markRead.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.notifications.pathFilter()),
      onError: (error) => toast.failure('Couldn’t mark as read.', error),
    }),
  );
}

interface NotificationPanelProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** What the member was notified of, newest first. */
export function NotificationPanel({ isOpen, onOpenChange }: NotificationPanelProps) {
  const close = () => onOpenChange(false);
  return (
    <Sheet isOpen={isOpen} onClose={close}>
      <SheetHeader title="Notifications" onClose={close} />
      <Notifications onLeave={close} />
    </Sheet>
  );
}

function Notifications({ onLeave }: { onLeave: () => void }) {
  const trpc = useTRPC();
  const unread = useUnread();
  const markAll = useMarkRead();
  const pages = useCursorPages({
    pageAt: (cursor) => trpc.notifications.list.queryOptions(cursor),
    items: 'notifications',
    refetchOnMount: 'always',
    news: unread,
  });
  return (
    <>
      <SheetBody>
        <ListBody
          what="notifications"
          error={pages.error}
          onRetry={pages.retry}
          isLoaded={pages.isLoaded}
          isEmpty={pages.items.length === 0}
          empty={
            <EmptyState
              icon={BellOff}
              title="No notifications yet"
              description="You’re told here when a conversation is assigned to you, a colleague mentions you, an agent needs you or an email fails."
            />
          }
        >
          <ul aria-label="Notifications" className="-mx-5 -my-5">
            {pages.items.map((notification) => (
              <Row key={notification.id} notification={notification} onLeave={onLeave} />
            ))}
          </ul>
        </ListBody>
        {pages.hasMore && (
          <div className="pt-8">
            <LoadMore
              what="more notifications"
              isLoading={pages.isLoadingMore}
              hasFailed={pages.hasFailedToLoadMore}
              onLoadMore={pages.loadMore}
            />
          </div>
        )}
      </SheetBody>
      <SheetFooter>
        <div className="flex items-center justify-between gap-3">
          <Link href="/settings/notifications" onClick={onLeave} className="text-accent-text underline-offset-2 hover:underline">
            Settings
          </Link>
          <PendingButton
            variant="secondary"
            isPending={markAll.isPending}
            isDisabled={unread === 0}
            onPress={() => markAll.mutate({ all: true })}
          >
            Mark all as read
          </PendingButton>
        </div>
      </SheetFooter>
    </>
  );
}

function Row({ notification, onLeave }: { notification: NotificationRecord; onLeave: () => void }) {
  const { id, kind, title, isRead, createdAt } = notification;
  const Icon = icons[kind];
  const { mutate } = useMarkRead();
  const open = () => {
    if (!isRead) mutate({ ids: [id] });
    onLeave();
  };
  return (
    <li className="border-b border-separator last:border-b-0">
      <Link
        href={notificationPath(notification)}
        onClick={open}
        className="flex gap-3 px-5 py-3 -outline-offset-2 hover:bg-surface-hover"
      >
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" strokeWidth={1.75} />
        <span className="min-w-0 flex-1">
          <span className={`block wrap-anywhere ${isRead ? '' : 'font-medium'}`}>{title}</span>
          <RelativeTime value={createdAt} className="text-label text-muted" />
        </span>
        {!isRead && (
          <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
            <span className="sr-only">Unread</span>
          </span>
        )}
      </Link>
    </li>
  );
}
