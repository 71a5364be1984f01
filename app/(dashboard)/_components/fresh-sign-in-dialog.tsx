'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { CodeField } from '@/app/_components/code-field';
import { Dialog } from '@/app/_components/dialog';
import { DialogForm } from '@/app/_components/dialog-form';
import { errorFacts } from '@/app/_components/error-facts';
import { PasswordField } from '@/app/_components/password-field';
import { schemaResolver } from '@/app/_components/schema-resolver';
import { useFormErrors } from '@/app/_components/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { answerFreshSignIn } from '@/app/_trpc/fresh-sign-in-question';

interface Proof {
  currentPassword: string;
  code: string;
}

const resolver = schemaResolver<Proof>(() =>
  import('@/server/modules/account/two-factor.schema').then((module) => module.confirmSignInInput.required()),
);

/** Asks for the password, and for a code once the server wants one, before a sensitive change goes on. */
export function FreshSignInDialog() {
  const trpc = useTRPC();
  const [needsCode, setNeedsCode] = useState(false);
  const confirm = useMutation(trpc.account.confirm.mutationOptions());
  const form = useForm<Proof>({ resolver, defaultValues: { currentPassword: '', code: '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);

  const submit = form.handleSubmit(async (typed) => {
    clearFailure();
    try {
      await confirm.mutateAsync(typed);
      answerFreshSignIn(true);
    } catch (error) {
      const asksForCode = errorFacts(error).fields.code !== undefined && !needsCode;
      if (asksForCode) setNeedsCode(true);
      else showError(error);
    }
  });

  return (
    <Dialog
      isOpen
      size="sm"
      onOpenChange={() => answerFreshSignIn(false)}
      isDismissable={!confirm.isPending}
      title="Confirm it’s you"
      description="This is a sensitive change and you signed in a while ago. You won’t be asked again for 10 minutes."
    >
      <DialogForm
        submitLabel="Continue"
        isPending={form.formState.isSubmitting}
        failure={failure}
        onSubmit={(event) => {
          // The dialog may lie over another form, which must not be sent along.
          event.stopPropagation();
          void submit(event);
        }}
        onCancel={() => answerFreshSignIn(false)}
      >
        <PasswordField
          control={form.control}
          name="currentPassword"
          label="Your password"
          autoComplete="current-password"
          autoFocus
        />
        {needsCode && <CodeField control={form.control} name="code" />}
      </DialogForm>
    </Dialog>
  );
}
