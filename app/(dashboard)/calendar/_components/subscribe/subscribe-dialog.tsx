import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { buttonLook } from '@/app/_kit/button-look';
import { CodeLine } from '@/app/_kit/code-line';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { CalendarFeed } from '@/server/features/calendar/calendar-feed.schema';
import { webcalAddress } from './webcal-address';

interface SubscribeDialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

const stops = 'Calendars using the current link stop updating.';

/** The secret address for calendar programs: created, shown, replaced and revoked here. */
export function SubscribeDialog({ isOpen, onOpenChange }: SubscribeDialogProps) {
  const { feed, url, show, renew, revoke } = useFeed({ enabled: isOpen });
  const [asked, setAsked] = useState<'replace' | 'disable' | null>(null);
  const stopAsking = { onSuccess: () => setAsked(null) };
  return (
    <>
      <Dialog
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        title="Subscribe to this calendar"
        description="See these events in Apple Calendar, Google Calendar, Outlook or any other calendar app. Read-only: changes there don’t sync back."
        footer={
          <Button variant="secondary" onPress={() => onOpenChange(false)}>
            Close
          </Button>
        }
      >
        <QueryResult query={feed} failure="Couldn’t load the link" loading="Loading link" lines={3}>
          {({ createdAt }) =>
            createdAt === null ? (
              <NoAddress isPending={renew.isPending} onCreate={() => renew.mutate({})} />
            ) : (
              <FeedAddress
                url={url}
                createdAt={createdAt}
                isShowing={show.isPending}
                onShow={() => show.mutate({})}
                onReplace={() => setAsked('replace')}
                onTurnOff={() => setAsked('disable')}
              />
            )
          }
        </QueryResult>
      </Dialog>
      <ConfirmDialog
        isOpen={asked === 'replace'}
        onOpenChange={() => setAsked(null)}
        title="Reset link?"
        description={`${stops} You get a new link to add instead.`}
        confirmLabel="Reset link"
        tone="danger"
        isPending={renew.isPending}
        onConfirm={() => renew.mutate({}, stopAsking)}
      />
      <ConfirmDialog
        isOpen={asked === 'disable'}
        onOpenChange={() => setAsked(null)}
        title="Disable link?"
        description={`${stops} You can create a new link at any time.`}
        confirmLabel="Disable"
        tone="danger"
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({}, stopAsking)}
      />
    </>
  );
}

function NoAddress({ isPending, onCreate }: { isPending: boolean; onCreate: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Create a private link for your calendar app. Anyone with this link can see event titles, times, places and meeting links,
        but not guests. You can reset or disable it at any time.
      </p>
      <PendingButton
        variant="primary"
        needs="calendar:read"
        className="w-fit max-sm:w-full"
        isPending={isPending}
        onPress={onCreate}
      >
        Create private link
      </PendingButton>
    </div>
  );
}

interface FeedAddressProps {
  /** Null until it is asked for. */
  url: string | null;
  createdAt: string;
  isShowing: boolean;
  onShow: () => void;
  onReplace: () => void;
  onTurnOff: () => void;
}

/** The feed's address with its actions: copy, open in a calendar app, replace, turn off. */
function FeedAddress({ url, createdAt, isShowing, onShow, onReplace, onTurnOff }: FeedAddressProps) {
  return (
    <div className="flex flex-col gap-4">
      {url === null ? (
        <>
          <p className="text-muted">
            You have a private link. It works without signing in, so it is shown only after you confirm that it’s you.
          </p>
          <PendingButton variant="primary" className="w-fit max-sm:w-full" isPending={isShowing} onPress={onShow}>
            Show link
          </PendingButton>
        </>
      ) : (
        <>
          <CodeLine label="Private link" value={url} copyLabel="Copy link" />
          <a href={webcalAddress(url)} className={buttonLook({ variant: 'primary', className: 'w-fit max-sm:w-full' })}>
            <CalendarPlus aria-hidden />
            Open in calendar app
          </a>
          <SubscribeGuide />
        </>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-separator pt-4">
        <p className="mr-auto text-label text-muted max-sm:w-full">
          Created <RelativeTime value={createdAt} />
        </p>
        <Button variant="secondary" size="sm" needs="calendar:read" onPress={onReplace}>
          Reset link
        </Button>
        <Button variant="secondary" size="sm" needs="calendar:read" className="text-danger-text" onPress={onTurnOff}>
          Disable{' '}
        </Button>
      </div>
    </div>
  );
}

const programs: { name: string; steps: string }[] = [
  {
    name: 'Apple Calendar',
    steps: 'Choose File > New Calendar Subscription and paste the link. On an iPhone, tap “Open in calendar app”.',
  },
  { name: 'Google Calendar', steps: 'On a computer, click + next to “Other calendars”, choose From URL and paste the link.' },
  { name: 'Outlook', steps: 'Choose Add calendar > Subscribe from web and paste the link.' },
];

/** How to subscribe in the common calendar programs. */
function SubscribeGuide() {
  return (
    <details>
      <summary className="w-fit cursor-pointer py-1 text-label text-accent-text">How to add it to your calendar</summary>
      <dl className="mt-1 flex flex-col gap-2 text-label">
        {programs.map(({ name, steps }) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted">{steps}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-label text-muted">
        Most calendar apps update every few hours, Google about once a day. For Google and Outlook on the web, Frontdesk must be
        reachable from the internet.
      </p>
    </details>
  );
}

/** The secret address of the business' calendar and its mutations. */
function useFeed({ enabled }: { enabled: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const feed = useQuery({ ...trpc.calendar.feed.queryOptions({}), enabled });
  // Not in the cache, where the next read would hide it again: for as long as the dialog is open.
  const [url, setUrl] = useState<string | null>(null);
  const take = ({ url: shown, ...now }: CalendarFeed) => {
    setUrl(shown);
    queryClient.setQueryData(trpc.calendar.feed.queryKey({}), { ...now, url: null });
  };
  if (!enabled && url !== null) setUrl(null);
  const show = useMutation(
    trpc.calendar.showFeed.mutationOptions({
      onSuccess: take,
      onError: (error) => toast.failure('Couldn’t show the link.', error),
    }),
  );
  const renew = useMutation(
    trpc.calendar.renewFeed.mutationOptions({
      onSuccess: take,
      onError: (error) => toast.failure('Couldn’t create the link.', error),
    }),
  );
  const revoke = useMutation(
    trpc.calendar.revokeFeed.mutationOptions({
      onSuccess: take,
      onError: (error) => toast.failure('Couldn’t disable the link.', error),
    }),
  );
  return { feed, url, show, renew, revoke };
}
