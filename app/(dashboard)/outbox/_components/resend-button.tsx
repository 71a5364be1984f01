import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '@/app/_kit/button';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { holdsPages } from '@/app/_trpc/use-pages';
import type { OutboxList, OutboxMailRecord } from '@/server/features/mail/mail.schema';
import { mailSubject, resendLabel } from './outbox-labels';

interface ResendButtonProps {
  mail: OutboxMailRecord;
  className?: string;
}

/** Resends a mail, or sends a waiting one immediately; renders nothing if there is nothing to send. */
export function ResendButton({ mail, className = '' }: ResendButtonProps) {
  const resend = useResend();
  const label = resendLabel(mail);
  if (label === null) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      needs="conversations:send"
      className={className}
      aria-label={`${label}: ${mailSubject(mail)}`}
      onPress={() => resend.mutate({ mailId: mail.id })}
    >
      {label}
    </Button>
  );
}

/** Resends a failed mail, or sends a waiting one immediately. It is optimistically shown as waiting. */
function useResend() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.mail.resend.mutationOptions({
      onMutate: async ({ mailId }) => {
        const filter = { queryKey: trpc.mail.outbox.pathKey() };
        await queryClient.cancelQueries(filter);
        queryClient.setQueriesData<InfiniteData<OutboxList>>(
          { ...filter, predicate: holdsPages },
          (data) => data && { ...data, pages: data.pages.map((page) => withWaiting(page, mailId)) },
        );
      },
      onError: (error) => toast.failure('Couldn’t retry the email.', error),
      // After a failure, this also reverts the optimistic state.
      onSettled: () => {
        void queryClient.invalidateQueries(trpc.mail.outbox.pathFilter());
        void queryClient.invalidateQueries(trpc.mail.get.pathFilter());
        void queryClient.invalidateQueries(trpc.conversations.pathFilter());
      },
    }),
  );
}

function withWaiting(page: OutboxList, id: string): OutboxList {
  const mail = page.emails.find((candidate) => candidate.id === id);
  if (!mail) return page;
  const waiting: OutboxMailRecord = { ...mail, state: 'queued', dueAt: new Date().toISOString(), error: null };
  const counts =
    mail.state === 'failed' ? { ...page.counts, failed: page.counts.failed - 1, queued: page.counts.queued + 1 } : page.counts;
  return { ...page, counts, emails: page.emails.map((candidate) => (candidate === mail ? waiting : candidate)) };
}
