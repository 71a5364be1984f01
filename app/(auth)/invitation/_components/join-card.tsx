import { useMutation, useQuery } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormError } from '@/app/_kit/form-error';
import { PendingButton } from '@/app/_kit/pending-button';
import { useTRPC } from '@/app/_trpc/client';
import { AuthCard } from '../../_components/auth-card';
import { Or } from '../../_components/or';
import { DeclineButton } from './decline-button';
import { type InvitationInUse, invitationLead } from './invitation-in-use';
import { JoinForm } from './join-form';

interface JoinCardProps extends InvitationInUse {
  /** Why single sign-on did not work. */
  problem: string | undefined;
}

/** For an address without an account: joins with single sign-on, or with a password where passwords sign in. */
export function JoinCard({ problem, ...use }: JoinCardProps) {
  const { link, token, onDone, onExpired } = use;
  const trpc = useTRPC();
  const { data: options } = useQuery(trpc.singleSignOn.options.queryOptions({}));
  const provider = options?.singleSignOn ?? null;
  const takesPassword = options?.hasPasswordSignIn !== false || provider === null;
  return (
    <AuthCard title={`Join ${link.business}`} lead={<span className="break-words">{invitationLead(link)}</span>}>
      {problem && (
        <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger-text">
          {problem}
        </p>
      )}
      {provider !== null && (
        <ContinueAtProvider token={token} provider={provider} email={link.email} isPrimary={!takesPassword} />
      )}
      {provider !== null && takesPassword && <Or />}
      {takesPassword ? <JoinForm {...use} /> : <DeclineButton token={token} onDone={onDone} onExpired={onExpired} />}
    </AuthCard>
  );
}

interface ContinueAtProviderProps {
  token: string;
  /** Its host. */
  provider: string;
  /** The invited address. */
  email: string;
  isPrimary: boolean;
}

/** Leads to the provider, which leads back and joins. */
function ContinueAtProvider({ token, provider, email, isPrimary }: ContinueAtProviderProps) {
  const trpc = useTRPC();
  const begin = useMutation(trpc.singleSignOn.join.mutationOptions({ onSuccess: ({ url }) => window.location.assign(url) }));
  return (
    <>
      <FormError failure={begin.error && errorFacts(begin.error)} />
      <PendingButton
        variant={isPrimary ? 'primary' : 'secondary'}
        fullWidth
        isPending={begin.isPending || begin.isSuccess}
        onPress={() => begin.mutate({ token })}
      >
        Continue with {provider}
      </PendingButton>
      <p className="-mt-2 text-label break-words text-muted">Sign in there as {email}.</p>
    </>
  );
}
