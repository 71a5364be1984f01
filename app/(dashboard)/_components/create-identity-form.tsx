import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { BusinessNameFields } from '@/app/_kit/business-name-fields';
import { Button } from '@/app/_kit/button';
import { FormError } from '@/app/_kit/form-error';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { PendingButton } from '@/app/_kit/pending-button';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { CreateOwnIdentityInput } from '@/server/features/accounts/account.schema';

const resolver = schemaResolver<CreateOwnIdentityInput>(() =>
  import('@/server/features/accounts/account.schema').then((module) => module.createOwnIdentityInput),
);

/** Creates another business for the signed-in owner and opens it. `secondary` is placed before the submit button. */
export function CreateIdentityForm({ secondary }: { secondary?: ReactNode }) {
  const trpc = useTRPC();
  const create = useMutation(trpc.account.createIdentity.mutationOptions());
  const form = useForm<CreateOwnIdentityInput>({ resolver, defaultValues: { displayName: '', handle: '' } });

  const { failure, submit } = useFormSubmit(form, async (typed) => {
    await create.mutateAsync(typed);
    // A full load: nothing of another business may stay in memory.
    window.location.assign('/');
  });

  return (
    <form method="post" onSubmit={submit} noValidate aria-label="New business" className="flex flex-col gap-4">
      <BusinessNameFields form={form} autoFocus />
      <FormError failure={failure} />
      <div className="flex flex-wrap justify-end gap-2">
        {secondary}
        <PendingButton type="submit" variant="primary" isPending={create.isPending || create.isSuccess}>
          Create business
        </PendingButton>
      </div>
    </form>
  );
}

/** Creates another business, from the identity switcher. */
export function CreateIdentityDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="New business"
      description="A new business has its own customers, inbox, calendar, blog and keys. It starts on the Free plan."
    >
      <CreateIdentityForm
        secondary={
          <Button variant="secondary" onPress={onClose}>
            Cancel
          </Button>
        }
      />
    </Dialog>
  );
}
