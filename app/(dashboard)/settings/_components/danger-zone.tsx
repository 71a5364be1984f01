'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { useDraftScope } from '@/app/_kit/draft-scope';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { QueryResult } from '@/app/_kit/query-result';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { signOutHere } from '../../_components/sign-out';
import { CalendarLinksSwitch } from './calendar-links-switch';

const LeaveDialog = onDemandComponent(() => import('../../_components/team/leave-dialog').then((module) => module.LeaveDialog));
const DeleteIdentityDialog = onDemandComponent(() =>
  import('./delete-identity-dialog').then((module) => module.DeleteIdentityDialog),
);

/** Irreversible actions. */
export function DangerZone() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  const [dialog, setDialog] = useState<'sign-out' | 'leave' | 'delete' | null>(null);
  const identity = account.data?.identities.find(({ id }) => id === account.data.identityId);
  const close = () => setDialog(null);
  return (
    <>
      <SectionCard
        title="Sign out everywhere"
        description="Signs you out on all devices, including this one. API keys keep working."
        footer={
          <Button variant="secondary" onPress={() => setDialog('sign-out')}>
            Sign out everywhere
          </Button>
        }
      />
      <QueryResult query={account} failure="Couldn’t load the business" loading="Loading business" lines={3}>
        {() =>
          identity && (
            <>
              <SectionCard
                title={`Leave ${identity.displayName || identity.handle}`}
                description="You lose access to this business. Your account and your other businesses stay."
                footer={
                  <Button variant="secondary" onPress={() => setDialog('leave')}>
                    Leave business
                  </Button>
                }
              />
              <SectionCard
                title={`Delete ${identity.displayName || identity.handle}`}
                description="Permanently deletes this business and all of its data."
                footer={
                  <Button variant="danger" needs="*" onPress={() => setDialog('delete')}>
                    Delete business
                  </Button>
                }
              />
            </>
          )
        }
      </QueryResult>
      {dialog === 'sign-out' && <SignOutEverywhereDialog onClose={close} />}
      {dialog === 'leave' && <LeaveDialog onClose={close} />}
      {dialog === 'delete' && <DeleteIdentityDialog onClose={close} />}
    </>
  );
}

/** Asks before every browser is signed out, including this one. */
function SignOutEverywhereDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const userId = useDraftScope()?.userId ?? null;
  const [calendarLinks, setCalendarLinks] = useState(false);
  const signOut = useMutation(
    trpc.account.signOutEverywhere.mutationOptions({
      // The session has ended on the server; only its cookie remains here.
      onSuccess: () => signOutHere(userId),
      onError: (error) => toast.failure('Couldn’t sign out.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Sign out everywhere?"
      description={
        <>
          You’ll be signed out everywhere. Drafts in this browser are deleted, and unsaved work on other devices is lost.
          <CalendarLinksSwitch isSelected={calendarLinks} onChange={setCalendarLinks} />
        </>
      }
      confirmLabel="Sign out everywhere"
      tone="danger"
      isPending={signOut.isPending || signOut.isSuccess}
      onConfirm={() => signOut.mutate({ calendarLinks })}
    />
  );
}
