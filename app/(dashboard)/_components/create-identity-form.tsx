'use client';

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { PendingButton } from '@/app/_kit/pending-button';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useSubmit } from '@/app/_kit/use-submit';
import { useTRPC } from '@/app/_trpc/client';
import { suggestHandle } from '@/app/(auth)/setup/_components/suggest-handle';
import type { CreateOwnIdentityInput } from '@/server/features/accounts/account.schema';

const resolver = schemaResolver<CreateOwnIdentityInput>(() =>
  import('@/server/features/accounts/account.schema').then((module) => module.createOwnIdentityInput),
);

/** Creates one more business of the signed-in owner, and shows it. `secondary` stands before the button that does so. */
export function CreateIdentityForm({ secondary }: { secondary?: ReactNode }) {
  const trpc = useTRPC();
  const create = useMutation(trpc.account.createIdentity.mutationOptions());
  const form = useForm<CreateOwnIdentityInput>({ resolver, defaultValues: { displayName: '', handle: '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const { control, formState } = form;

  const submit = useSubmit(form, async (typed) => {
    clearFailure();
    try {
      await create.mutateAsync(typed);
      // A full load: nothing of another business may stay in memory.
      window.location.assign('/');
    } catch (error) {
      showError(error);
    }
  });

  const suggest = (displayName: string) => {
    if (formState.dirtyFields.handle) return;
    form.setValue('handle', suggestHandle(displayName), { shouldValidate: formState.isSubmitted });
  };

  return (
    <form method="post" onSubmit={submit} noValidate aria-label="New business" className="flex flex-col gap-4">
      <FormTextField
        control={control}
        name="displayName"
        label="Business name"
        autoComplete="organization"
        onValueChange={suggest}
        autoFocus
        isRequired
      />
      <FormTextField
        control={control}
        name="handle"
        label="Handle"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        mono
        description="Short name in public addresses. It cannot be changed later."
        isRequired
      />
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
