import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormTextField } from '@/app/_kit/form-fields';
import { PasswordField } from '@/app/_kit/password-field';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { TextField } from '@/app/_kit/text-field';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { passwordMinimum } from '@/server/features/accounts/account.limits';
import { AuthForm } from '../../_components/auth-form';
import { signInWithPassword } from '../../_components/sign-in-requests';
import { DeclineButton } from './decline-button';
import type { InvitationInUse } from './invitation-in-use';

interface Values {
  displayName: string;
  password: string;
}

const resolver = schemaResolver<Values>(() =>
  import('@/server/features/team/team.schema').then((module) => module.joinInput.pick({ displayName: true, password: true })),
);

/** For an address without an account: creates one, accepts and signs in. */
export function JoinForm({ link, token, onDone, onExpired }: InvitationInUse) {
  const trpc = useTRPC();
  const join = useMutation(trpc.invitations.join.mutationOptions());
  const form = useForm<Values>({ resolver, defaultValues: { displayName: '', password: '' } });
  const [isJoined, setJoined] = useState(false);

  const { failure, submit } = useFormSubmit(form, async ({ displayName, password }) => {
    try {
      const { email } = await join.mutateAsync({ token, displayName: displayName.trim(), password });
      setJoined(true);
      const outcome = await signInWithPassword(email, password);
      // A full load. If signing in failed for now, the account is there to sign in with.
      window.location.assign(outcome === 'ok' ? '/' : '/sign-in');
    } catch (error) {
      if (errorFacts(error).code === 'not_found') onExpired();
      else throw error;
    }
  });

  return (
    <>
      <AuthForm
        submitLabel="Create account and join"
        isPending={form.formState.isSubmitting || isJoined}
        failure={failure}
        onSubmit={submit}
      >
        <TextField label="Email" description="You sign in with it.">
          {(props) => (
            <input
              {...props}
              type="email"
              name="username"
              autoComplete="username"
              value={link.email}
              readOnly
              className="input w-full bg-background-secondary text-muted"
            />
          )}
        </TextField>
        <FormTextField
          control={form.control}
          name="displayName"
          label="Name"
          autoComplete="name"
          description="What your colleagues see."
          autoFocus
          isRequired
        />
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          autoComplete="new-password"
          description={`At least ${passwordMinimum} characters. A few random words are a good choice.`}
        />
      </AuthForm>
      {!isJoined && <DeclineButton token={token} onDone={onDone} onExpired={onExpired} />}
    </>
  );
}
