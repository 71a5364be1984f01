import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { errorFacts } from '@/app/_kit/error-facts';
import { Sheet, SheetBody, SheetFooter, SheetHeader } from '@/app/_kit/overlay/sheet';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { useTRPC } from '@/app/_trpc/client';
import type { OutboxMailDetail } from '@/server/features/mail/mail.schema';
import type { DeliveryLogEntry } from '@/server/features/outbox/outbox.schema';
import { MailBody } from '../../_components/mail-body';
import { addressText } from '../../inbox/_components/conversation-labels';
import { MailState } from './mail-state';
import {
  attemptsLine,
  entryLabel,
  entryReasons,
  isMoving,
  kindLabel,
  mailSubject,
  refreshMilliseconds,
  resendLabel,
  subjectLink,
} from './outbox-labels';
import { ResendButton } from './resend-button';

interface MailSheetProps {
  mailId: string;
  onClose: () => void;
}

/** A sent or queued email: its recipients with their delivery status, the attempts, and the content. */
export function MailSheet({ mailId, onClose }: MailSheetProps) {
  const trpc = useTRPC();
  const mail = useQuery(
    trpc.mail.get.queryOptions(
      { mailId },
      { refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? refreshMilliseconds : false) },
    ),
  );
  const { data } = mail;
  const isGone = mail.error !== null && errorFacts(mail.error).code === 'not_found';
  return (
    <Sheet isOpen onClose={onClose}>
      <SheetHeader title={isGone ? 'Email not found' : data ? mailSubject(data) : 'Email'} onClose={onClose}>
        {data && !isGone && <Summary mail={data} />}
      </SheetHeader>
      <SheetBody>
        {isGone ? (
          <p>It may have been withdrawn before it was sent, or removed for its age.</p>
        ) : (
          <QueryResult query={mail} failure="Couldn’t load the email" loading="Loading email">
            {(detail) => (
              <div className="flex flex-col gap-6">
                <Addresses mail={detail} />
                <Attempts mail={detail} />
                <Content key={detail.id} mail={detail} />
              </div>
            )}
          </QueryResult>
        )}
      </SheetBody>
      {data && !isGone && <Actions mail={data} />}
    </Sheet>
  );
}

function Summary({ mail }: { mail: OutboxMailDetail }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-2 text-label text-muted">
      <MailState mail={mail} />
      {kindLabel(mail.kind).label}
      <RelativeTime value={mail.sentAt ?? mail.createdAt} />
    </p>
  );
}

function Addresses({ mail }: { mail: OutboxMailDetail }) {
  const { from, replyTo } = mail;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-label">
      <Term name="From">{addressText(from)}</Term>
      {replyTo && <Term name="Reply to">{addressText(replyTo)}</Term>}
      <Recipients name="To" addresses={mail.to} mail={mail} />
      <Recipients name="Cc" addresses={mail.cc} mail={mail} />
      <Recipients name="Bcc" addresses={mail.bcc} mail={mail} />
    </dl>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

const statuses = {
  sent: { icon: CircleCheck, label: 'Sent', className: 'text-success-text' },
  failed: { icon: CircleX, label: 'Not delivered', className: 'text-danger-text' },
  pending: { icon: Clock, label: 'Not sent yet', className: 'text-muted' },
} as const;

interface RecipientsProps {
  name: string;
  addresses: OutboxMailDetail['to'];
  mail: OutboxMailDetail;
}

/** Recipients of one kind, each with its delivery status and, if that is a failure, the reason. */
function Recipients({ name, addresses, mail: { deliveries } }: RecipientsProps) {
  if (addresses.length === 0) return null;
  return (
    <Term name={name}>
      <ul aria-label={name} className="flex max-h-56 flex-col gap-1 overflow-y-auto">
        {addresses.map((address) => {
          const { status = 'pending', error = null } = deliveries.find(({ email }) => email === address.email) ?? {};
          const { icon: Icon, label, className } = statuses[status];
          return (
            <li key={address.email} className="flex items-start gap-2">
              <span className="min-w-0 flex-1">
                {addressText(address)}
                {error !== null && <span className="block text-danger-text">{error}</span>}
              </span>
              <span title={label} className={className}>
                <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
                <span className="sr-only">{label}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Term>
  );
}

/** Attempts shown at first. */
const shownAttempts = 3;

/** The attempts and bounces, newest first. Emails sent by older versions have only their number and the last error. */
function Attempts({ mail }: { mail: OutboxMailDetail }) {
  const [isAll, setIsAll] = useState(false);
  const { log, error } = mail;
  const shown = isAll ? log : log.slice(0, shownAttempts);
  return (
    <section aria-labelledby="attempts">
      <h3 id="attempts" className="text-sm font-semibold">
        {attemptsLine(mail.attempts)}
      </h3>
      <Outlook mail={mail} />
      {log.length === 0 && error !== null && <p className="mt-1 wrap-anywhere text-danger-text">{error}</p>}
      {shown.length > 0 && (
        <ol aria-label="Attempts" className="mt-2 flex flex-col gap-2">
          {shown.map((entry) => (
            <Attempt key={`${entry.at} ${entry.kind}`} entry={entry} />
          ))}
        </ol>
      )}
      {log.length > shown.length && (
        <Button variant="ghost" size="sm" className="mt-2" onPress={() => setIsAll(true)}>
          Show {log.length - shown.length} earlier
        </Button>
      )}
    </section>
  );
}

/** What happens next. */
function Outlook({ mail: { state, attempts, canSend, dueAt } }: { mail: OutboxMailDetail }) {
  if (state === 'failed') return <p className="mt-1 text-label text-muted">Won’t retry automatically.</p>;
  if (state !== 'queued') return null;
  return (
    <p className="mt-1 text-label text-muted">
      {canSend
        ? dueAt !== null && <NextAttempt at={dueAt} isFirst={attempts === 0} />
        : 'Sent once your administrator sets SMTP_URL.'}
    </p>
  );
}

function NextAttempt({ at, isFirst }: { at: string; isFirst: boolean }) {
  return (
    <>
      {isFirst ? 'Will be sent' : 'Next attempt'} <RelativeTime value={at} />.
    </>
  );
}

const tones = { success: 'text-success-text', warning: 'text-warning-text', danger: 'text-danger-text' } as const;

function Attempt({ entry }: { entry: DeliveryLogEntry }) {
  const { label, tone } = entryLabel(entry);
  return (
    <li className="rounded-md border border-border px-3 py-2 text-label">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className={`font-medium ${tones[tone]}`}>{label}</span>
        <RelativeTime value={entry.at} className="text-muted" />
      </p>
      {entryReasons(entry).map((reason) => (
        <p key={reason} className="mt-1 wrap-anywhere">
          {reason}
        </p>
      ))}
      {entry.response !== '' && <p className="mt-1 font-mono text-xs text-muted wrap-anywhere">{entry.response}</p>}
    </li>
  );
}

/** The email as its recipients see it; a reply as plain text first. */
function Content({ mail }: { mail: OutboxMailDetail }) {
  const { id, identityId, messageId, text, hasHtml, calendarMethod, from } = mail;
  const path = messageId === null ? `outbox/${id}` : `messages/${messageId}`;
  return (
    <section aria-labelledby="content" className="border-t border-separator pt-5">
      <h3 id="content" className="sr-only">
        Content
      </h3>
      {text === null ? (
        <p className="text-muted">The content has been removed for its age.</p>
      ) : (
        <MailBody
          text={text}
          htmlUrl={hasHtml ? `/api/mail/${path}/html?identity=${identityId}` : null}
          prefersHtml={messageId === null}
          senderName={from.displayName ?? from.email}
          frameClassName="-mx-5 w-[calc(100%+2.5rem)]"
        />
      )}
      {calendarMethod !== null && (
        <p className="mt-3 text-label text-muted">
          {calendarMethod === 'CANCEL' ? 'With a file that removes it from calendars.' : 'With a file for calendars.'}
        </p>
      )}
    </section>
  );
}

/** Retry, and a link to the conversation or event. */
function Actions({ mail }: { mail: OutboxMailDetail }) {
  const link = subjectLink(mail);
  const canResend = mail.canSend && resendLabel(mail) !== null;
  if (link === null && !canResend) return null;
  return (
    <SheetFooter>
      <div className="flex flex-wrap items-center gap-2">
        {canResend && <ResendButton mail={mail} />}
        {link !== null && (
          <ButtonLink href={link.href} size="sm">
            {link.label}
          </ButtonLink>
        )}
      </div>
    </SheetFooter>
  );
}
