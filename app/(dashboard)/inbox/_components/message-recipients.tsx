'use client';

import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { MailAddressRecord, MessageRecord } from '@/server/features/conversations/message.schema';
import { nameOf, recipientsLine } from './conversation-words';

/** Whom a message went to, in a few words; unfolded, everybody with name and address. */
export function MessageRecipients({ message, own }: { message: MessageRecord; own: ReadonlySet<string> }) {
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
        <span className="sr-only">, all addresses</span>
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
        {addresses.map((address) => {
          const name = nameOf(address);
          return <div key={`${address.email} ${name}`}>{name === address.email ? name : `${name} <${address.email}>`}</div>;
        })}
      </dd>
    </>
  );
}
