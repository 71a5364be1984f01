import { columnHelper, type DataColumn } from '@/app/_kit/data-table';
import { RelativeTime } from '@/app/_kit/relative-time';
import type { OutboxMailRecord } from '@/server/features/mail/mail.schema';
import { MailState } from './mail-state';
import { attemptsLine, kindBefore, kindWords, mailSubject } from './outbox-words';
import { ResendButton } from './resend-button';

const helper = columnHelper<OutboxMailRecord>();

interface OutboxColumnOptions {
  canSend: boolean;
  /** Whether any mail has failed or waits, so that there is something to say beyond the state. */
  hasNotes: boolean;
}

/** The columns of the outbox: what, to whom, from where, how it fared, and since when. */
export function outboxColumns({ canSend, hasNotes }: OutboxColumnOptions): readonly DataColumn<OutboxMailRecord>[] {
  const note = helper.display({
    id: 'note',
    header: 'Tries and errors',
    meta: { phone: 'hidden', className: 'w-[16%] max-lg:hidden' },
    cell: ({ row }) => <Note mail={row.original} canSend={canSend} />,
  });
  return helper.columns([
    helper.display({
      id: 'subject',
      header: 'Subject',
      meta: { phone: 'title' },
      cell: ({ row }) => <Subject mail={row.original} />,
    }),
    helper.display({
      id: 'to',
      header: 'To',
      meta: { phone: 'line', className: 'w-[18%]' },
      cell: ({ row }) => <Recipients recipients={row.original.recipients} />,
    }),
    helper.display({
      id: 'from',
      header: 'From',
      meta: { phone: 'hidden', className: 'w-[16%] max-xl:hidden' },
      cell: ({ row }) => (
        <span className="text-muted" title={`${row.original.from.displayName ?? ''} <${row.original.from.email}>`.trim()}>
          {row.original.from.email}
        </span>
      ),
    }),
    helper.display({
      id: 'state',
      header: 'State',
      meta: { phone: 'line-end', className: 'md:w-30' },
      cell: ({ row }) => <MailState mail={row.original} canSend={canSend} />,
    }),
    ...(hasNotes ? [note] : []),
    helper.display({
      id: 'created',
      header: 'When',
      meta: { phone: 'aside', className: 'md:w-26' },
      cell: ({ row }) => <RelativeTime value={row.original.sentAt ?? row.original.createdAt} className="text-muted" />,
    }),
  ]);
}

/** What kind of mail it is, as a picture for the eye and in words for everybody else, and its subject. */
function Subject({ mail }: { mail: OutboxMailRecord }) {
  const { icon: Icon } = kindWords(mail.kind);
  const kind = kindBefore(mail);
  const subject = mailSubject(mail);
  return (
    <span title={kind + subject}>
      <Icon aria-hidden className="mr-2 inline size-3.5 align-[-2px] text-muted" />
      {kind && <span className="sr-only">{kind}</span>}
      {subject}
    </span>
  );
}

function Recipients({ recipients }: { recipients: readonly string[] }) {
  const [first = 'nobody', ...others] = recipients;
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-muted">
      <span className="truncate" title={first}>
        {first}
      </span>
      {others.length > 0 && (
        <span className="shrink-0 text-xs" title={others.join('\n')}>
          +{others.length}
          <span className="sr-only"> more</span>
        </span>
      )}
    </span>
  );
}

/** In one line what the state leaves open; the whole of it stands behind the state's button. */
function Note({ mail, canSend }: { mail: OutboxMailRecord; canSend: boolean }) {
  if (mail.state !== 'failed' && mail.state !== 'queued') return null;
  return (
    <span className="flex items-center gap-2">
      <span className="min-w-0 flex-1 truncate text-muted" title={mail.error ?? undefined}>
        {mail.state === 'failed' ? (mail.error ?? 'No reason is known') : <Tries mail={mail} canSend={canSend} />}
      </span>
      {/* Above the link that spans the row. */}
      {canSend && <ResendButton mail={mail} className="relative z-1 h-7! shrink-0 px-2! text-label" />}
    </span>
  );
}

function Tries({ mail, canSend }: { mail: OutboxMailRecord; canSend: boolean }) {
  return (
    <>
      {attemptsLine(mail.attempts)}
      {canSend && mail.dueAt !== null && (
        <>
          , next <RelativeTime value={mail.dueAt} />
        </>
      )}
    </>
  );
}
