import { Check, CircleQuestionMark, Clock, TriangleAlert, X } from 'lucide-react';
import { PersonAvatar } from '@/app/_kit/person-avatar';
import { RelativeTime } from '@/app/_kit/relative-time';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import type { InviteeRecord, InviteeResponse } from '@/server/features/calendar/invitee.schema';
import { answerChannel, answerLabels, answerSummary, counted } from './event-labels';

const badges: Record<InviteeResponse, { Icon: typeof Check; className: string; text: string }> = {
  accepted: { Icon: Check, className: 'bg-success text-success-foreground', text: 'text-success-text' },
  declined: { Icon: X, className: 'bg-danger text-danger-foreground', text: 'text-danger-text' },
  tentative: { Icon: CircleQuestionMark, className: 'bg-warning text-warning-foreground', text: 'text-warning-text' },
  needs_action: { Icon: Clock, className: 'bg-muted text-surface', text: 'text-muted' },
};

/** The invitees and their replies; updated as replies come in. */
export function InviteeAnswers({ event }: { event: Pick<EventRecord, 'invitees' | 'sendEmailReminders' | 'status'> }) {
  const { invitees } = event;
  return (
    <>
      <p>
        {counted(invitees.length, 'guest')}
        <span role="status" className="text-muted">
          : {answerSummary(invitees)}
        </span>
      </p>
      {!event.sendEmailReminders && (
        <p className="text-label text-muted">
          Guest emails are off. Guests hear about changes only when you choose to notify them.
        </p>
      )}
      <ul className="mt-2 flex flex-col gap-2.5" aria-label="Guests">
        {invitees.map((invitee) => (
          <Answer key={invitee.id} invitee={invitee} />
        ))}
      </ul>
    </>
  );
}

function Unverified() {
  const why = 'The reply came by email, so someone else may have sent it. Check with the guest if it matters.';
  return (
    <span className="text-warning-text" title={why}>
      {' · '}
      <TriangleAlert aria-hidden className="inline size-3 -translate-y-px" /> unverified
      <span className="sr-only">: {why}</span>
    </span>
  );
}

function Answer({ invitee }: { invitee: InviteeRecord }) {
  const { email, name, responseStatus, isOptional, isOrganizer, invitedAt, answeredAt } = invitee;
  const { Icon, className, text } = badges[responseStatus];
  const shown = name === '' ? email : name;
  return (
    <li className="flex items-start gap-2.5">
      <span className="relative shrink-0">
        <PersonAvatar name={shown} isOwn={isOrganizer} />
        <span
          aria-hidden
          className={`absolute -right-1.5 -bottom-1 flex size-4 items-center justify-center rounded-full border-2 border-surface ${className}`}
        >
          <Icon className="size-2.5" strokeWidth={3} />
        </span>
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate" title={name === '' ? email : `${name} <${email}>`}>
          {shown}
          {name !== '' && <span className="text-muted"> · {email}</span>}
        </p>
        <p className="text-label text-muted">
          {isOrganizer ? (
            'You (organizer)'
          ) : responseStatus === 'needs_action' ? (
            <>
              <span className={text}>{answerLabels.needs_action.label}</span>
              {' · '}
              {invitedAt === null ? (
                'not invited yet'
              ) : (
                <>
                  invited <RelativeTime value={invitedAt} />
                </>
              )}
            </>
          ) : (
            <>
              <span className={`font-medium ${text}`}>{answerLabels[responseStatus].label}</span>
              {answeredAt !== null && (
                <>
                  {' '}
                  <RelativeTime value={answeredAt} />
                </>
              )}
              {` ${answerChannel(invitee)}`}
              {invitee.answerVerified === false && <Unverified />}
            </>
          )}
          {isOptional && ' · optional'}
        </p>
      </div>
    </li>
  );
}
