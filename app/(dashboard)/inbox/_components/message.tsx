import { ChevronDown, EllipsisVertical, Forward } from 'lucide-react';
import Link from 'next/link';
import { useId, useState } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PersonAvatar } from '@/app/_kit/person-avatar';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { MailAddressRecord, MessageRecord } from '@/server/features/conversations/message.schema';
import { addressText, nameOf, recipientsLine, statusLabels } from './conversation-labels';
import { useInbox } from './inbox-context';
import { isScheduled, waitsLong } from './later-times';
import { MessageBody } from './message-body';

const WaitingDelivery = onDemandComponent(() => import('./waiting-delivery').then((module) => module.WaitingDelivery));
const ListNotice = onDemandComponent(() => import('./list-notice').then((module) => module.ListNotice));
const FailedDelivery = onDemandComponent(() => import('./failed-delivery').then((module) => module.FailedDelivery));

interface MessageProps {
  message: MessageRecord;
  /** The business's own addresses. */
  own: ReadonlySet<string>;
  isLast: boolean;
  /** Marks this message and those after it as unread. */
  onUnread: (messageId: string) => void;
}

/** One message; a line while it is collapsed. The last one and unread ones start open, and stay open once they are read. */
export function Message({ message, own, isLast, onUnread }: MessageProps) {
  const [isOpen, setIsOpen] = useState(isLast || !message.isRead || message.status === 'failed');
  const bodyId = useId();
  const { from, isAutoReply } = message;
  const isOutbound = message.direction === 'outbound';
  const name = nameOf(from);
  return (
    <article
      aria-label={`Message from ${name}`}
      data-open-message={isOpen ? '' : undefined}
      className="overflow-hidden rounded-lg border border-border bg-surface"
    >
      <header className={`relative flex items-start gap-3 px-4 py-2.5 ${isOpen ? '' : 'hover:bg-surface-hover'}`}>
        <PersonAvatar name={name} isOwn={isOutbound} />
        <div className="min-w-0 flex-1">
          <div className="flex min-h-7 min-w-0 items-center gap-2">
            <h2 className={`min-w-0 text-sm ${isOpen ? '' : 'shrink-0 max-w-[45%]'}`}>
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={isOpen ? bodyId : undefined}
                onClick={() => setIsOpen(!isOpen)}
                title={`${name} <${from.email}>`}
                className="flex max-w-full min-w-0 cursor-pointer items-baseline gap-2 rounded-sm text-left after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
              >
                <span className="max-w-full shrink-0 truncate font-medium">{name}</span>
                {isOpen && name !== from.email && (
                  <span className="min-w-0 truncate text-label font-normal text-muted max-sm:hidden">{from.email}</span>
                )}
              </button>
            </h2>
            {!isOpen && <p className="min-w-0 flex-1 truncate text-label text-muted">{message.preview}</p>}
            <span className="ml-auto flex shrink-0 items-center gap-2">
              {isAutoReply && <StatusBadge tone="neutral">Auto-reply</StatusBadge>}
              {isOutbound && <Delivery message={message} />}
              <RelativeTime
                value={message.sentAt ?? message.receivedAt ?? message.sendAt ?? message.createdAt}
                className="relative text-xs text-muted"
              />
              {isOpen && <ForwardButton messageId={message.id} sender={name} />}
              {isOpen && <MessageMenu message={message} sender={name} onUnread={() => onUnread(message.id)} />}
            </span>
          </div>
          {isOpen && <MessageRecipients message={message} own={own} />}
        </div>
      </header>
      {isOpen && (
        <div id={bodyId} className="px-4 pb-4 sm:pl-14">
          {message.status === 'failed' && <FailedDelivery message={message} />}
          {message.status === 'queued' && waitsLong(message, Date.now()) && <WaitingDelivery message={message} />}
          {message.unsubscribe && <ListNotice message={message} way={message.unsubscribe} />}
          <MessageBody message={message} />
        </div>
      )}
    </article>
  );
}

function ForwardButton({ messageId, sender }: { messageId: string; sender: string }) {
  const { write } = useInbox();
  return (
    <span className="relative -my-1 flex">
      <IconButton
        label={`Forward the message from ${sender}`}
        hint="Forward"
        needs="conversations:send"
        onPress={() => write({ forward: messageId })}
      >
        <Forward aria-hidden className="size-4 text-muted" />
      </IconButton>
    </span>
  );
}

interface MessageMenuProps {
  message: MessageRecord;
  sender: string;
  onUnread: () => void;
}

function MessageMenu({ message, sender, onUnread }: MessageMenuProps) {
  const { id, identityId, direction } = message;
  const act = (action: unknown) => {
    if (action === 'unread') onUnread();
    else window.location.assign(`/api/mail/messages/${id}/eml?identity=${identityId}`);
  };
  return (
    <span className="relative -my-1 -ml-2 flex">
      <Dropdown>
        <IconButton label={`Actions on the message from ${sender}`} hint="More actions">
          <EllipsisVertical aria-hidden className="size-4 text-muted" />
        </IconButton>
        <Dropdown.Popover placement="bottom end">
          <Dropdown.Menu aria-label={`Actions on the message from ${sender}`} onAction={act}>
            {direction === 'inbound' && (
              <Dropdown.Item id="unread" textValue="Mark as unread from here" needs="conversations:write">
                <Dropdown.Label>Mark as unread from here</Dropdown.Label>
              </Dropdown.Item>
            )}
            <Dropdown.Item id="file" textValue="Download as a file (.eml)">
              <Dropdown.Label>Download as a file (.eml)</Dropdown.Label>
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
    </span>
  );
}

/** The delivery status of an outgoing message. */
function Delivery({ message }: { message: MessageRecord }) {
  const { status } = message;
  if (status === 'sent' || status === 'received') return <span className="text-xs text-muted">Sent</span>;
  const isFailed = status === 'failed';
  return (
    <Link href="/outbox" className="relative rounded-sm underline-offset-2 hover:underline">
      <StatusBadge tone={isFailed ? 'danger' : 'info'}>
        {isFailed ? statusLabels.failed.label : isScheduled(message) ? 'Scheduled' : 'Queued'}
      </StatusBadge>
    </Link>
  );
}

/** The recipients of a message; expanded, all names and addresses. */
function MessageRecipients({ message, own }: { message: MessageRecord; own: ReadonlySet<string> }) {
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const { from, to, cc, bcc, subject } = message;
  return (
    <div className="text-label">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="relative -ml-1 flex min-h-6 max-w-full items-center gap-1 rounded-sm px-1 text-muted hover:bg-surface-hover hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus"
      >
        <span className="truncate">{recipientsLine([...to, ...cc, ...bcc], own)}</span>
        <ChevronDown
          aria-hidden
          className={`size-3.5 shrink-0 transition-transform duration-150 ${isOpen ? 'rotate-180' : ''}`}
        />
        <span className="sr-only">, show all addresses</span>
      </button>
      {isOpen && (
        <dl id={listId} className="relative mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 pb-1">
          <Addresses term="From" addresses={[from]} />
          <Addresses term="To" addresses={to} />
          <Addresses term="Cc" addresses={cc} />
          <Addresses term="Bcc" addresses={bcc} />
          {subject.trim() !== '' && (
            <>
              <dt className="text-muted">Subject</dt>
              <dd className="wrap-anywhere">{subject}</dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}

function Addresses({ term, addresses }: { term: string; addresses: readonly MailAddressRecord[] }) {
  if (addresses.length === 0) return null;
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="max-h-48 overflow-y-auto wrap-anywhere">
        {addresses.map((address) => (
          <div key={addressText(address)}>{addressText(address)}</div>
        ))}
      </dd>
    </>
  );
}
