import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { Popover, PopoverContent } from '@/app/_kit/overlay/popover';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { OutboxMailRecord } from '@/server/features/mail/mail.schema';
import { attemptsLine, mailSubject, resendLabel, stateLabels } from './outbox-labels';
import { ResendButton } from './resend-button';

/** The state of a mail. If there are details (why it failed, when it is retried), a button that shows them. */
export function MailState({ mail, canSend }: { mail: OutboxMailRecord; canSend: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  if (resendLabel(mail.state) === null) return <StateChip mail={mail} />;
  return (
    <Popover isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button
        variant="ghost"
        // Above the link that spans the row.
        className="relative z-1 -ml-1 h-8! min-h-8! gap-0.5 px-1! max-md:-mr-1"
        aria-label={`${stateLabels[mail.state].label}, details of ${mailSubject(mail)}`}
      >
        <StateChip mail={mail} />
        <ChevronDown aria-hidden className="size-3.5 text-muted" />
      </Button>
      <PopoverContent label="Delivery details" placement="bottom end" className="w-80 max-w-[calc(100vw-2rem)]">
        <Details mail={mail} canSend={canSend} onSent={() => setIsOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}

function StateChip({ mail }: { mail: OutboxMailRecord }) {
  const { label, tone, icon: Icon } = stateLabels[mail.state];
  return (
    <StatusBadge tone={tone}>
      <Icon aria-hidden className="mr-1 size-3.5" />
      {label}
    </StatusBadge>
  );
}

function Details({ mail, canSend, onSent }: { mail: OutboxMailRecord; canSend: boolean; onSent: () => void }) {
  return (
    <div className="text-label">
      {mail.error !== null && <p className="wrap-anywhere whitespace-pre-wrap">{mail.error}</p>}
      <p className="mt-1 text-muted first:mt-0">
        {attemptsLine(mail.attempts)}
        {mail.lastAttemptAt !== null && (
          <>
            , last <RelativeTime value={mail.lastAttemptAt} />
          </>
        )}
        .{mail.state === 'queued' && (canSend ? <NextTry mail={mail} /> : ' Sent once SMTP_URL is set.')}
        {mail.state === 'failed' && ' Won’t retry automatically.'}
      </p>
      {mail.recipients.length > 0 && <p className="mt-2 text-muted wrap-anywhere">To {mail.recipients.join(', ')}</p>}
      {canSend && <ResendButton mail={mail} className="mt-3" onSent={onSent} />}
    </div>
  );
}

/** The time of a waiting mail's next attempt. */
function NextTry({ mail }: { mail: OutboxMailRecord }) {
  if (mail.dueAt === null) return null;
  return (
    <>
      {' '}
      Next attempt <RelativeTime value={mail.dueAt} />.
    </>
  );
}
