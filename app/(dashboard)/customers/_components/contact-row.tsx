'use client';

import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { copyText } from '@/app/_kit/copy-button';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { toast } from '@/app/_kit/toast';
import type { CustomerContact, CustomerRecord } from '@/server/features/customers/customer.schema';
import { useRemoveContact } from './use-remove-contact';

interface ContactRowProps {
  customer: CustomerRecord;
  contact: CustomerContact;
}

/** One contact with what can be done with it. */
export function ContactRow({ customer, contact }: ContactRowProps) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useRemoveContact(customer.id);
  const isOnly = customer.contacts.length === 1;
  // The contacts come oldest first, and the oldest of those left becomes the primary one.
  const successor = customer.contacts.find((other) => other.guid !== contact.guid);

  const copy = async (value: string, what: string) => {
    if (await copyText(value)) toast(`${what} copied`);
    else toast.error('Copying is not allowed here. Select the text and copy it yourself.');
  };
  const act = (action: unknown) => {
    if (action === 'copy-email') void copy(contact.email, 'Email');
    else if (action === 'copy-guid') void copy(contact.guid, 'Contact guid');
    else if (contact.isPrimary) setIsAsking(true);
    else remove.mutate(contact);
  };

  return (
    <li className="flex items-center gap-2 border-b border-separator py-2 pr-3 pl-5">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={contact.displayName || contact.email}>
            {contact.displayName || contact.email}
          </span>
          {contact.isPrimary && (
            <span className="shrink-0 rounded-md bg-accent-soft px-1.5 text-xs leading-5 font-medium text-accent-text">
              Primary
            </span>
          )}
        </p>
        {contact.displayName && (
          <p className="truncate text-label text-muted" title={contact.email}>
            {contact.email}
          </p>
        )}
      </div>
      <Dropdown>
        <IconButton label={`Actions for ${contact.email}`}>
          <Ellipsis aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="bottom end">
          <Dropdown.Menu aria-label={`Actions for ${contact.email}`} onAction={act} disabledKeys={isOnly ? ['remove'] : []}>
            <Dropdown.Item id="copy-email" textValue="Copy email">
              <Dropdown.Label>Copy email</Dropdown.Label>
            </Dropdown.Item>
            <Dropdown.Item id="copy-guid" textValue="Copy contact guid">
              <Dropdown.Label>Copy contact guid</Dropdown.Label>
            </Dropdown.Item>
            <Dropdown.Item id="remove" textValue="Remove contact" variant="danger">
              <Dropdown.Label>{contact.isPrimary ? 'Remove contact…' : 'Remove contact'}</Dropdown.Label>
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title="Remove the primary contact?"
        description={`${successor?.email} becomes the primary contact. ${contact.email} stays known to Frontdesk and can be added again.`}
        confirmLabel="Remove contact"
        tone="danger"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(contact, { onSettled: () => setIsAsking(false) })}
      />
    </li>
  );
}
