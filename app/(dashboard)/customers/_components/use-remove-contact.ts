'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useTRPC } from '@/app/_trpc/client';
import type { CustomerContact } from '@/server/features/customers/customer.schema';
import { useStoreCustomer } from './use-store-customer';

/**
 * Removes a contact at once, as if the answer were there already. One that is not the primary can be put back for a while, since it
 * returns as it was; a removed primary would return as an ordinary contact, so that asks beforehand.
 */
export function useRemoveContact(customerId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const storeCustomer = useStoreCustomer();
  const customerKey = trpc.customers.get.queryKey({ id: customerId });
  const addBack = useMutation(trpc.customers.addContact.mutationOptions({ onSuccess: storeCustomer }));
  const remove = useMutation(trpc.customers.removeContact.mutationOptions({ onSuccess: storeCustomer }));

  const undo = ({ email, guid }: CustomerContact) =>
    addBack.mutate(
      { id: customerId, guid },
      { onError: (error) => toast.error(`${email} was not put back. ${errorFacts(error).message}`) },
    );

  return useMutation({
    mutationFn: ({ guid }: CustomerContact) => remove.mutateAsync({ id: customerId, guid }),
    onMutate: async ({ guid, isPrimary }) => {
      await queryClient.cancelQueries({ queryKey: customerKey });
      const before = queryClient.getQueryData(customerKey);
      // Who becomes primary is for the server to say.
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
      undoToast({ message: `${contact.email} was removed`, id: `contact-${contact.guid}`, onUndo: () => undo(contact) });
    },
    onError: (error, contact, context) => {
      if (context?.before) queryClient.setQueryData(customerKey, context.before);
      toast.error(`${contact.email} was not removed. ${errorFacts(error).message}`);
    },
  });
}
