'use client';

import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { ErrorState } from '@/app/_kit/error-state';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { PendingButton } from '@/app/_kit/pending-button';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { FeedAddress } from './feed-address';
import { useFeed } from './use-feed';

interface SubscribeDialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

const stops = 'Calendars that use the present address stop getting changes.';

/** The secret address at which calendar programs subscribe: made, shown, renewed and revoked here. */
export function SubscribeDialog({ isOpen, onOpenChange }: SubscribeDialogProps) {
  const { feed, renew, revoke } = useFeed({ enabled: isOpen });
  const [asked, setAsked] = useState<'replace' | 'turn off' | null>(null);
  const stopAsking = { onSuccess: () => setAsked(null) };
  const url = feed.data?.url ?? null;
  return (
    <>
      <Dialog
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        title="Subscribe to this calendar"
        description="See these events next to your own in Apple Calendar, Google Calendar, Outlook or any other calendar. It only reads: what you change there changes nothing here."
        footer={
          <Button variant="secondary" onPress={() => onOpenChange(false)}>
            Close
          </Button>
        }
      >
        {feed.data === undefined ? (
          <Missing error={feed.error} isLoading={feed.isFetching} onRetry={() => void feed.refetch()} />
        ) : url === null ? (
          <NoAddress isPending={renew.isPending} onCreate={() => renew.mutate({})} />
        ) : (
          <FeedAddress
            url={url}
            createdAt={feed.data.createdAt}
            onReplace={() => setAsked('replace')}
            onTurnOff={() => setAsked('turn off')}
          />
        )}
      </Dialog>
      <ConfirmDialog
        isOpen={asked === 'replace'}
        onOpenChange={() => setAsked(null)}
        title="Replace the address?"
        description={`${stops} You get a new one to add in its place.`}
        confirmLabel="Replace address"
        tone="danger"
        isPending={renew.isPending}
        onConfirm={() => renew.mutate({}, stopAsking)}
      />
      <ConfirmDialog
        isOpen={asked === 'turn off'}
        onOpenChange={() => setAsked(null)}
        title="Turn off the address?"
        description={`${stops} You can make another one at any time.`}
        confirmLabel="Turn off"
        tone="danger"
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({}, stopAsking)}
      />
    </>
  );
}

function Missing({ error, isLoading, onRetry }: { error: unknown; isLoading: boolean; onRetry: () => void }) {
  if (!error || isLoading) return <SkeletonLines lines={3} shape="text" label="Loading the address" />;
  return <ErrorState error={error} onRetry={onRetry} title="The address could not be loaded" />;
}

function NoAddress({ isPending, onCreate }: { isPending: boolean; onCreate: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        For that, calendars need a secret address. Whoever knows it sees what, when and where of every event, links to meetings
        included, but not who is invited. You can replace it or turn it off at any time.
      </p>
      <PendingButton variant="primary" className="w-fit max-sm:w-full" isPending={isPending} onPress={onCreate}>
        Create a secret address
      </PendingButton>
    </div>
  );
}
