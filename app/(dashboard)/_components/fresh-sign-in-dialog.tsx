import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { CodeField } from '@/app/_kit/code-field';
import { DialogForm } from '@/app/_kit/dialog-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { answerFreshSignIn } from '@/app/_trpc/fresh-sign-in-question';

/** Asks for the password, and for a code if the server wants one, before a sensitive change continues. */
export function FreshSignInDialog() {
  const [isPending, setPending] = useState(false);
  return (
    <Dialog
      isOpen
      size="sm"
      onOpenChange={() => answerFreshSignIn(false)}
      isDismissable={!isPending}
      title="Confirm it’s you"
      description="This is a sensitive change and you signed in a while ago. You won’t be asked again for 10 minutes."
    >
      <ProofForm onPending={setPending} />
    </Dialog>
  );
}

interface Proof {
  currentPassword: string;
  code: string;
}

const resolver = schemaResolver<Proof>(() =>
  import('@/server/features/accounts/two-factor.schema').then((module) => module.confirmSignInInput.required()),
);

function ProofForm({ onPending }: { onPending: (isPending: boolean) => void }) {
  const trpc = useTRPC();
  const [needsCode, setNeedsCode] = useState(false);
  const confirm = useMutation(trpc.account.confirm.mutationOptions());
  const form = useForm<Proof>({ resolver, defaultValues: { currentPassword: '', code: '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const { setFocus } = form;

  // Delayed, because a dialog below holds the focus until this one has taken over.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setFocus('currentPassword'));
    return () => cancelAnimationFrame(frame);
  }, [setFocus]);

  const submit = form.handleSubmit(async (typed) => {
    clearFailure();
    onPending(true);
    try {
      await confirm.mutateAsync(typed);
      answerFreshSignIn(true);
    } catch (error) {
      const asksForCode = errorFacts(error).fields.code !== undefined && !needsCode;
      if (asksForCode) setNeedsCode(true);
      else showError(error);
      onPending(false);
    }
  });

  return (
    <DialogForm
      submitLabel="Continue"
      isPending={form.formState.isSubmitting}
      failure={failure}
      onSubmit={(event) => {
        // React would bubble the event to a form that opened this dialog.
        event.stopPropagation();
        void submit(event);
      }}
      onCancel={() => answerFreshSignIn(false)}
    >
      <PasswordField control={form.control} name="currentPassword" label="Your password" autoComplete="current-password" />
      {needsCode && <CodeField control={form.control} name="code" />}
    </DialogForm>
  );
}
