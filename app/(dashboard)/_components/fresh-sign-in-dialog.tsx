import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { CodeField } from '@/app/_kit/code-field';
import { DialogForm } from '@/app/_kit/dialog-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { hasPasskeySupport } from '@/app/_kit/passkey-client';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { answerFreshSignIn } from '@/app/_trpc/fresh-sign-in-question';
import { ConfirmWithPasskey } from './confirm-with-passkey';

/** Asks for a passkey, or the password and a code if the server wants one, before a sensitive change continues. */
export function FreshSignInDialog() {
  const trpc = useTRPC();
  const [isPending, setPending] = useState(false);
  const { data: ways } = useQuery(trpc.singleSignOn.status.queryOptions({}));
  const way = ways?.hasPassword === false ? 'Confirm who you are' : 'Enter your password';
  return (
    <Dialog
      isOpen
      size="sm"
      onOpenChange={() => answerFreshSignIn(false)}
      isDismissable={!isPending}
      title="Confirm it’s you"
      description={`${way} to continue. You won’t be asked again for 10 minutes.`}
    >
      {/* Hides the dialog that asked, see globals.css. */}
      <div data-fresh-sign-in hidden />
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
  const { data: factors } = useQuery(trpc.twoFactor.status.queryOptions({}));
  const [isAskingPasskey, setAskingPasskey] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const confirm = useMutation(trpc.account.confirm.mutationOptions());
  const byProvider = useMutation(trpc.singleSignOn.confirm.mutationOptions());
  const { data: ways } = useQuery(trpc.singleSignOn.status.queryOptions({}));
  const hasPassword = ways?.hasPassword !== false;
  const form = useForm<Proof>({ resolver, defaultValues: { currentPassword: '', code: '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const { setFocus } = form;

  // Delayed, because a dialog below holds the focus until this one has taken over.
  useEffect(() => {
    if (!hasPassword) return;
    const frame = requestAnimationFrame(() => setFocus('currentPassword'));
    return () => cancelAnimationFrame(frame);
  }, [setFocus, hasPassword]);

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

  /** Leaves the page; the provider leads back to it. */
  const confirmByProvider = async () => {
    clearFailure();
    onPending(true);
    try {
      const returnTo = `${window.location.pathname}${window.location.search}`;
      const { url } = await byProvider.mutateAsync({ returnTo, code: form.getValues('code') });
      window.location.assign(url);
    } catch (error) {
      if (errorFacts(error).fields.code !== undefined && !needsCode) setNeedsCode(true);
      else showError(error);
      onPending(false);
    }
  };

  if (!hasPassword) {
    return (
      <DialogForm
        submitLabel="Confirm with single sign-on"
        isPending={byProvider.isPending || byProvider.isSuccess}
        failure={failure}
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          void confirmByProvider();
        }}
        onCancel={() => answerFreshSignIn(false)}
      >
        <p className="text-muted">
          You go to {ways?.provider ?? 'your provider'} and come back to this page. What you typed here may be lost.
        </p>
        {needsCode && <CodeField control={form.control} name="code" />}
      </DialogForm>
    );
  }
  return (
    <>
      {factors?.hasPasskeys && hasPasskeySupport() && (
        <ConfirmWithPasskey
          isDisabled={form.formState.isSubmitting}
          onPending={(isPending) => {
            setAskingPasskey(isPending);
            onPending(isPending);
          }}
          onConfirmed={() => answerFreshSignIn(true)}
        />
      )}
      <DialogForm
        submitLabel="Continue"
        isPending={form.formState.isSubmitting || isAskingPasskey}
        failure={failure}
        onSubmit={(event) => {
          // React would bubble the event to a form that opened this dialog.
          event.stopPropagation();
          void submit(event);
        }}
        onCancel={() => answerFreshSignIn(false)}
      >
        <PasswordField control={form.control} name="currentPassword" label="Your password" autoComplete="current-password" />
        {needsCode && <CodeField control={form.control} name="code" hasApp={factors?.enabledAt !== null} />}
        {ways?.connection && (
          <button
            type="button"
            onClick={() => void confirmByProvider()}
            className="self-start text-label text-accent-text underline underline-offset-2"
          >
            Confirm with single sign-on instead
          </button>
        )}
      </DialogForm>
    </>
  );
}
