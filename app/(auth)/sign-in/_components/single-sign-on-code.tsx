'use client';

import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { CodeField } from '@/app/_kit/code-field';
import { errorFacts } from '@/app/_kit/error-facts';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { SecondStepInput } from '@/server/features/accounts/oidc.schema';
import { AuthCard } from '../../_components/auth-card';
import type { SecondFactorMethod } from '../../_components/sign-in-requests';
import { SecondStep } from './second-step';
import { usePasskey } from './use-passkey';

interface SingleSignOnCodeProps {
  destination: string;
  /** What the account has. */
  methods: readonly SecondFactorMethod[];
}

/** The second step of single sign-on, for an account with a second factor. */
export function SingleSignOnCode({ destination, methods }: SingleSignOnCodeProps) {
  const trpc = useTRPC();
  const finish = useMutation(trpc.singleSignOn.enterCode.mutationOptions());
  const form = useForm({ defaultValues: { code: '' } });
  const { failure, showError, showFailure, clearFailure } = useFormErrors(form);
  const send = async (proof: SecondStepInput) => {
    clearFailure();
    try {
      await finish.mutateAsync(proof);
      // A full load, so that nothing of a previous session survives in memory.
      window.location.assign(destination);
    } catch (error) {
      const { passkey } = errorFacts(error).fields;
      if (passkey === undefined) showError(error);
      else showFailure({ message: `This passkey ${passkey}.`, requestId: undefined });
    }
  };
  const submit = useSubmit(form, send);
  const { ask, isAsking } = usePasskey((passkey) => send({ passkey }), showFailure);
  return (
    <AuthCard title="Two-factor sign-in" lead="Your provider has confirmed who you are. One more step to finish.">
      <SecondStep
        methods={methods}
        codeField={<CodeField control={form.control} name="code" hasApp={methods.includes('app')} />}
        failure={failure}
        isPending={form.formState.isSubmitting || finish.isSuccess}
        isAsking={isAsking}
        onPasskey={ask}
        onSubmit={submit}
        onBack={() => window.location.assign('/sign-in')}
      />
    </AuthCard>
  );
}
