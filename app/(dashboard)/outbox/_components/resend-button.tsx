'use client';

import { Button } from '@heroui/react/button';
import type { OutboxMailRecord } from '@/server/modules/mail/mail.schema';
import { mailSubject, resendLabel } from './outbox-words';
import { useResend } from './use-resend';

interface ResendButtonProps {
  mail: OutboxMailRecord;
  className?: string;
  /** True inside a popover, which it closes. */
  closes?: boolean;
}

/** Sends a mail again, or at once; nothing where there is nothing to send. */
export function ResendButton({ mail, className = '', closes = false }: ResendButtonProps) {
  const resend = useResend();
  const label = resendLabel(mail.state);
  if (label === null) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      className={className}
      aria-label={`${label}: ${mailSubject(mail)}`}
      {...(closes ? { slot: 'close' } : {})}
      onPress={() => resend.mutate({ mailId: mail.id })}
    >
      {label}
    </Button>
  );
}
