'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Laptop, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { errorFacts } from '@/app/_kit/error-facts';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { SessionRecord } from '@/server/features/accounts/session.schema';
import { CalendarLinksSwitch } from './calendar-links-switch';
import { browsersLabel, isPhone, sessionName } from './session-labels';

/** The browsers that are signed in, with ways to end their sessions. */
export function Sessions() {
  const trpc = useTRPC();
  const sessions = useQuery(trpc.account.sessions.queryOptions({}));
  const [isAsking, setAsking] = useState(false);
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  return (
    <SectionCard
      title="Sessions"
      description="Where you’re signed in. Sign out any you don’t recognize, then change your password. Inactive sessions end after 2 weeks, all sessions after 90 days."
      flush
      footer={
        others > 0 && (
          <Button variant="secondary" onPress={() => setAsking(true)}>
            Sign out all others
          </Button>
        )
      }
    >
      <QueryResult query={sessions} failure="Couldn’t load sessions" loading="Loading sessions" lines={3} shape="rows">
        {(list) => (
          <ul aria-label="Sessions">
            {list.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </QueryResult>
      {isAsking && <EndOthersDialog others={others} onClose={() => setAsking(false)} />}
    </SectionCard>
  );
}

function SessionRow({ session }: { session: SessionRecord }) {
  const { id, address, createdAt, lastSeenAt, isCurrent } = session;
  const Icon = isPhone(session) ? Smartphone : Laptop;
  const name = sessionName(session);
  return (
    <li className="flex min-h-14 items-center gap-3 border-b border-separator px-5 py-2.5 last:border-b-0">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" strokeWidth={1.5} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="truncate font-medium">{name}</span>
          {isCurrent && <StatusBadge tone="success">This browser</StatusBadge>}
        </p>
        <p className="text-label text-muted">
          {isCurrent ? (
            'In use now'
          ) : (
            <>
              Last seen <RelativeTime value={lastSeenAt} />
            </>
          )}
          , signed in <RelativeTime value={createdAt} />
          {address !== 'unknown' && address !== '' && (
            <>
              {' '}
              from <span className="break-all">{address}</span>
            </>
          )}
        </p>
      </div>
      {!isCurrent && <EndButton id={id} name={name} />}
    </li>
  );
}

function EndButton({ id, name }: { id: string; name: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const filter = trpc.account.sessions.queryFilter();
  const end = useMutation(
    trpc.account.endSession.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(filter),
      onError: (error) => {
        // It has ended already, so the goal is reached.
        if (errorFacts(error).code === 'not_found') void queryClient.invalidateQueries(filter);
        else toast.failure('Couldn’t end the session.', error);
      },
    }),
  );
  return (
    <PendingButton
      variant="secondary"
      size="sm"
      aria-label={`Sign out ${name}`}
      isPending={end.isPending}
      onPress={() => end.mutate({ id })}
    >
      Sign out
    </PendingButton>
  );
}

function EndOthersDialog({ others, onClose }: { others: number; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [calendarLinks, setCalendarLinks] = useState(false);
  const end = useMutation(
    trpc.account.endOtherSessions.mutationOptions({
      onSuccess: async ({ ended }) => {
        await queryClient.invalidateQueries(trpc.account.sessions.queryFilter());
        toast(`${browsersLabel(ended)} signed out`);
        onClose();
      },
      onError: (error) => toast.failure('Couldn’t sign out the others.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Sign out all others?"
      description={
        <>
          {browsersLabel(others)} will be signed out. Unsaved work there is lost. You stay signed in here.
          <CalendarLinksSwitch isSelected={calendarLinks} onChange={setCalendarLinks} />
        </>
      }
      confirmLabel="Sign out others"
      tone="danger"
      isPending={end.isPending}
      onConfirm={() => end.mutate({ calendarLinks })}
    />
  );
}
