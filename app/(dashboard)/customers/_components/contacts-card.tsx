import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { copyFailed, copyText } from '@/app/_kit/copy-button';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { PendingButton } from '@/app/_kit/pending-button';
import { ReadOnlyFields } from '@/app/_kit/read-only';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerContact, CustomerRecord } from '@/server/features/customers/customer.schema';
import { ContactConflict, conflictingCustomer } from './contact-conflict';
import { useStoreCustomer } from './use-store-customer';

/** A customer's contacts. Adding and removing take effect immediately, independently of the form beside it. */
export function ContactsCard({ customer }: { customer: CustomerRecord }) {
  const isOnly = customer.contacts.length === 1;
  return (
    <SectionCard title="Contacts" description="Saved automatically." flush>
      <ul>
        {customer.contacts.map((contact) => (
          <ContactRow key={contact.guid} customer={customer} contact={contact} />
        ))}
      </ul>
      {isOnly && (
        <p id="last-contact" className="border-b border-separator px-5 py-3 text-label text-muted">
          Add another contact before removing this one.
        </p>
      )}
      <ReadOnlyFields needs="customers:write">
        <AddContactForm customerId={customer.id} />
      </ReadOnlyFields>
    </SectionCard>
  );
}

interface ContactRowProps {
  customer: CustomerRecord;
  contact: CustomerContact;
}

/** As the recipient of an email is typed. */
function recipientOf({ displayName, email }: CustomerContact): string {
  return displayName ? `"${displayName.replace(/["\\]/g, '')}" <${email}>` : email;
}

function ContactRow({ customer, contact }: ContactRowProps) {
  const [isAsking, setIsAsking] = useState(false);
  const remove = useRemoveContact(customer.id);
  const router = useRouter();
  const isOnly = customer.contacts.length === 1;
  // Contacts are sorted oldest first, and the oldest remaining one becomes primary.
  const successor = customer.contacts.find((other) => other.guid !== contact.guid);

  const copy = async (value: string, what: string) => {
    if (await copyText(value)) toast(`${what} copied`);
    else toast.error(copyFailed);
  };
  const act = (action: unknown) => {
    if (action === 'write') leavePage(() => router.push(`/inbox/new?to=${encodeURIComponent(recipientOf(contact))}`));
    else if (action === 'copy-email') void copy(contact.email, 'Email');
    else if (action === 'copy-guid') void copy(contact.guid, 'Contact ID');
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
            <Dropdown.Item id="write" textValue="Write email" needs="conversations:send">
              <Dropdown.Label>Write email</Dropdown.Label>
            </Dropdown.Item>
            <Dropdown.Item id="copy-email" textValue="Copy email">
              <Dropdown.Label>Copy email</Dropdown.Label>
            </Dropdown.Item>
            <Dropdown.Item id="copy-guid" textValue="Copy contact ID">
              <Dropdown.Label>Copy contact ID</Dropdown.Label>
            </Dropdown.Item>
            <Dropdown.Item id="remove" textValue="Remove contact" needs="customers:write" variant="danger">
              <Dropdown.Label>{contact.isPrimary ? 'Remove contact…' : 'Remove contact'}</Dropdown.Label>
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title="Remove the primary contact?"
        description={`${successor?.email} becomes the primary contact. You can add ${contact.email} again later.`}
        confirmLabel="Remove contact"
        tone="danger"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(contact, { onSettled: () => setIsAsking(false) })}
      />
    </li>
  );
}

/**
 * Removes a contact from the page before the server responds. A contact that is not primary can be restored for a while, since
 * it returns unchanged. A removed primary would return as an ordinary contact, so removing it asks first.
 */
function useRemoveContact(customerId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const storeCustomer = useStoreCustomer();
  const customerKey = trpc.customers.get.queryKey({ id: customerId });
  const addBack = useMutation(trpc.customers.addContact.mutationOptions({ onSuccess: storeCustomer }));
  const remove = useMutation(trpc.customers.removeContact.mutationOptions({ onSuccess: storeCustomer }));

  const undo = ({ guid }: CustomerContact) =>
    addBack.mutate({ id: customerId, guid }, { onError: (error) => toast.failure('Couldn’t undo.', error) });

  return useMutation({
    mutationFn: ({ guid }: CustomerContact) => remove.mutateAsync({ id: customerId, guid }),
    onMutate: async ({ guid, isPrimary }) => {
      await queryClient.cancelQueries({ queryKey: customerKey });
      const before = queryClient.getQueryData(customerKey);
      // The server chooses the new primary contact.
      if (before && !isPrimary) {
        queryClient.setQueryData(customerKey, {
          ...before,
          contacts: before.contacts.filter((contact) => contact.guid !== guid),
        });
      }
      return { before };
    },
    onSuccess: (_customer, contact) => {
      if (contact.isPrimary) return;
      undoToast({
        message: 'Contact removed',
        description: contact.email,
        id: `contact-${contact.guid}`,
        onUndo: () => undo(contact),
      });
    },
    onError: (error, contact, context) => {
      if (context?.before) queryClient.setQueryData(customerKey, context.before);
      toast.failure(`Couldn’t remove ${contact.email}.`, error);
    },
  });
}

interface NewContact {
  email: string;
  displayName: string;
}

const blank: NewContact = { email: '', displayName: '' };
const resolver = schemaResolver<NewContact>(() =>
  import('@/server/features/customers/customer.schema').then((module) => module.contactInput),
);

/** Adds a contact to a customer by email address. */
function AddContactForm({ customerId }: { customerId: string }) {
  const trpc = useTRPC();
  const storeCustomer = useStoreCustomer();
  const [conflict, setConflict] = useState<{ customerId: string; email: string } | null>(null);
  const form = useForm<NewContact>({ defaultValues: blank, resolver });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const add = useMutation(trpc.customers.addContact.mutationOptions({ onSuccess: storeCustomer }));

  const onSubmit = useSubmit(form, async ({ email, displayName }) => {
    clearFailure();
    setConflict(null);
    try {
      await add.mutateAsync({ id: customerId, email, displayName: displayName.trim() });
      form.reset(blank);
      form.setFocus('email');
    } catch (error) {
      const owner = conflictingCustomer(error);
      if (owner) setConflict({ customerId: owner, email: email.trim() });
      else showError(error);
    }
  });

  return (
    <form method="post" onSubmit={onSubmit} noValidate aria-label="Add a contact" className="flex flex-col gap-3 px-5 py-4">
      <FormTextField
        control={form.control}
        name="email"
        label="Email"
        type="email"
        autoComplete="off"
        placeholder="name@company.example"
      />
      <FormTextField control={form.control} name="displayName" label="Name" autoComplete="off" description="Optional." />
      {conflict && <ContactConflict {...conflict} />}
      <FormError failure={failure} />
      <PendingButton type="submit" variant="secondary" needs="customers:write" isPending={add.isPending} className="self-start">
        <Plus aria-hidden />
        Add contact
      </PendingButton>
    </form>
  );
}
