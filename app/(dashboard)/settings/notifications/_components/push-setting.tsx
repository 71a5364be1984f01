import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PendingButton } from '@/app/_kit/pending-button';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useBrowserValue } from '@/app/_kit/use-browser-value';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { NotificationSettings } from '@/server/features/notifications/notification.schema';
import { obstacleLabels, PushDenied, pushObstacle, subscribeThisBrowser, unsubscribeThisBrowser } from './push-browser';
import { SendTest } from './send-test';

/** Turns push notifications on and off in this browser. */
export function PushSetting({ push }: { push: NotificationSettings['push'] }) {
  const { isOnHere, browsers } = push;
  const obstacle = useBrowserValue(pushObstacle, null);
  const others = browsers - (isOnHere ? 1 : 0);
  return (
    <SectionCard
      title="Push notifications"
      description="This browser shows your notifications while Frontdesk is closed, until you sign out."
      actions={isOnHere && <StatusBadge tone="success">On in this browser</StatusBadge>}
      footer={
        isOnHere ? (
          <>
            <SendTest channel="push" isDisabled={false} />
            <TurnOff />
          </>
        ) : (
          obstacle === null && <TurnOn publicKey={push.publicKey} />
        )
      }
    >
      {((!isOnHere && obstacle !== null) || others > 0) && (
        <div className="flex flex-col gap-2">
          {!isOnHere && obstacle !== null && <p>{obstacleLabels[obstacle]}</p>}
          {others > 0 && <p className="text-label text-muted">{othersLabel(others, isOnHere)}</p>}
        </div>
      )}
    </SectionCard>
  );
}

function othersLabel(others: number, isOnHere: boolean): string {
  const which = others === 1 ? '1 other browser' : `${others} other browsers`;
  return `${isOnHere ? 'Also on' : 'On'} in ${which}. Sign out there to turn them off.`;
}

function useRefresh() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.notifications.settings.queryFilter());
}

function TurnOn({ publicKey }: { publicKey: string }) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const turnOn = useMutation({
    mutationFn: async () => client.notifications.subscribe.mutate(await subscribeThisBrowser(publicKey)),
    onSuccess: refresh,
    onError: (error: unknown) => {
      if (error instanceof PushDenied) toast.error('Allow notifications when the browser asks, to turn them on.');
      else toast.failure('Couldn’t turn on notifications.', error);
    },
  });
  return (
    <PendingButton variant="primary" isPending={turnOn.isPending} onPress={() => turnOn.mutate()}>
      Turn on in this browser
    </PendingButton>
  );
}

function TurnOff() {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const turnOff = useMutation({
    mutationFn: async () => {
      await client.notifications.unsubscribe.mutate({});
      // The server sends nothing any more, so this only tidies up.
      await unsubscribeThisBrowser().catch(() => undefined);
    },
    onSuccess: refresh,
    onError: (error) => toast.failure('Couldn’t turn off notifications.', error),
  });
  return (
    <PendingButton variant="secondary" isPending={turnOff.isPending} onPress={() => turnOff.mutate()}>
      Turn off
    </PendingButton>
  );
}
