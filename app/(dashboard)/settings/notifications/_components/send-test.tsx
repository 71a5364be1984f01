import { useMutation } from '@tanstack/react-query';
import { PendingButton } from '@/app/_kit/pending-button';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';

interface SendTestProps {
  channel: 'email' | 'push';
  isDisabled: boolean;
}

const labels = { email: 'Send test email', push: 'Send test notification' };

/** Sends the person a notification, to see whether it arrives. */
export function SendTest({ channel, isDisabled }: SendTestProps) {
  const trpc = useTRPC();
  const send = useMutation(
    trpc.notifications.sendTest.mutationOptions({
      onSuccess: () => toast.success(channel === 'email' ? 'Test email sent' : 'Test notification sent'),
      onError: (error) => toast.failure('Couldn’t send the test.', error),
    }),
  );
  return (
    <PendingButton
      variant="secondary"
      isPending={send.isPending}
      isDisabled={isDisabled}
      onPress={() => send.mutate({ channel })}
    >
      {labels[channel]}
    </PendingButton>
  );
}
