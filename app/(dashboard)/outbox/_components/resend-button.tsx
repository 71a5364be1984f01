'use client';

import { Button } from '@/app/_kit/button';
import type { OutboxMailRecord } from '@/server/features/mail/mail.schema';
import { mailSubject, resendLabel } from './outbox-words';
import { useResend } from './use-resend';

interface ResendButtonProps {
  mail: OutboxMailRecord;
  className?: string;
  /** E.g. closes the pop-up it stands in. */
  onSent?: () => void;
}

/** Sends a mail again, or at once; nothing where there is nothing to send. */
export function ResendButton({ mail, className = '', onSent }: ResendButtonProps) {
  const resend = useResend();
  const label = resendLabel(mail.state);
  if (label === null) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      className={className}
      aria-label={`${label}: ${mailSubject(mail)}`}
      onPress={() => {
        resend.mutate({ mailId: mail.id });
        onSent?.();
      }}
    >
      {label}
    </Button>
  );
}
