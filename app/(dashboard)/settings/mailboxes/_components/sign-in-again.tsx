import { useMutation } from '@tanstack/react-query';
import { PendingButton } from '@/app/_kit/pending-button';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { MailProvider } from '@/server/features/mailbox-sign-in/mail-provider.schema';
import type { Mailbox } from '@/server/features/mailboxes/mailbox.schema';
import { providers } from './providers';

/** Leads to the provider of a mailbox, to sign in to it again. */
export function SignInAgain({ mailbox: { id, address }, provider }: { mailbox: Mailbox; provider: MailProvider }) {
  const trpc = useTRPC();
  const begin = useMutation(
    trpc.mailboxes.beginSignInAgain.mutationOptions({
      onSuccess: ({ url }) => window.location.assign(url),
      onError: (error) => toast.failure('Couldn’t begin to sign in.', error),
    }),
  );
  return (
    <PendingButton
      variant="secondary"
      size="sm"
      needs="identity:write"
      aria-label={`Sign in to ${address} again`}
      // It stays until the browser has left the page.
      isPending={begin.isPending || begin.isSuccess}
      onPress={() => begin.mutate({ mailboxId: id })}
    >
      Sign in at {providers[provider].name}
    </PendingButton>
  );
}
