import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormError } from '@/app/_kit/form-error';
import { askForPasskey, isPasskeyCanceled, passkeyProblem } from '@/app/_kit/passkey-client';
import { PendingButton } from '@/app/_kit/pending-button';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import { useTRPCClient } from '@/app/_trpc/client';

interface ConfirmWithPasskeyProps {
  isDisabled: boolean;
  onPending: (isPending: boolean) => void;
  onConfirmed: () => void;
}

function failureOf(error: unknown): FormFailure {
  const { message, requestId, fields } = errorFacts(error);
  const reason = passkeyProblem(error) ?? (fields.answer === undefined ? message : `The passkey ${fields.answer}.`);
  return { message: reason, requestId };
}

/** Confirms with a passkey instead of the password. */
export function ConfirmWithPasskey({ isDisabled, onPending, onConfirmed }: ConfirmWithPasskeyProps) {
  const client = useTRPCClient();
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const confirm = useMutation({
    mutationFn: async () => {
      const answer = await askForPasskey(await client.passkeys.beginConfirmation.mutate({}));
      await client.passkeys.confirm.mutate({ answer });
    },
    onMutate: () => {
      setFailure(null);
      onPending(true);
    },
    onSuccess: onConfirmed,
    onError: (error: unknown) => {
      if (!isPasskeyCanceled(error)) setFailure(failureOf(error));
      onPending(false);
    },
  });
  return (
    <div className="mb-4 flex flex-col gap-4">
      <FormError failure={failure} />
      <PendingButton
        variant="secondary"
        fullWidth
        isPending={confirm.isPending}
        isDisabled={isDisabled}
        onPress={() => confirm.mutate()}
      >
        <KeyRound aria-hidden />
        Use a passkey
      </PendingButton>
      <p className="flex items-center gap-3 text-label text-muted before:h-px before:grow before:bg-separator after:h-px after:grow after:bg-separator">
        or
      </p>
    </div>
  );
}
