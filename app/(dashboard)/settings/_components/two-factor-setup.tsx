import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { CodeLine } from '@/app/_kit/code-line';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { EnableTwoFactorInput } from '@/server/features/accounts/two-factor.schema';
import { RecoveryCodes } from './recovery-codes';
import { groupedSecret } from './two-factor-labels';

/**
 * Creates the secret, shows it to the authenticator app, and ends with the recovery codes once a code proves that the app has
 * it.
 */
export function TwoFactorSetup({ onClose }: { onClose: () => void }) {
  const client = useTRPCClient();
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  // Requested only once, since each response has another secret.
  const setup = useQuery({
    queryKey: ['two-factor-setup'],
    queryFn: () => client.twoFactor.begin.mutate({}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (recoveryCodes) return <RecoveryCodes title="Two-factor sign-in is on" codes={recoveryCodes} onClose={onClose} />;
  return (
    <QueryResult query={setup} failure="Couldn’t set up two-factor sign-in" loading="Preparing two-factor sign-in" lines={8}>
      {(data) => <SetupForm {...data} onClose={onClose} onEnabled={setRecoveryCodes} />}
    </QueryResult>
  );
}

interface SetupFormProps {
  secret: string;
  /** An SVG document. */
  qrCode: string;
  onClose: () => void;
  onEnabled: (recoveryCodes: string[]) => void;
}

const resolver = schemaResolver<EnableTwoFactorInput>(() =>
  import('@/server/features/accounts/two-factor.schema').then((module) => module.enableTwoFactorInput),
);

function SetupForm({ secret, qrCode, onClose, onEnabled }: SetupFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const enable = useMutation(trpc.twoFactor.enable.mutationOptions());
  const form = useForm<EnableTwoFactorInput>({ resolver, defaultValues: { code: '' } });
  const { control, formState, setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);

  const { failure, submit } = useFormSubmit(form, async (typed) => {
    const { recoveryCodes } = await enable.mutateAsync(typed);
    onEnabled(recoveryCodes);
    // A business that requires it opens now.
    router.refresh();
    await Promise.all([
      queryClient.invalidateQueries(trpc.twoFactor.status.queryFilter()),
      queryClient.invalidateQueries(trpc.account.sessions.queryFilter()),
    ]);
  });

  return (
    <form method="post" onSubmit={submit} noValidate aria-label="Set up two-factor sign-in">
      <SectionCard
        title="Set up two-factor sign-in"
        description="Use an authenticator app such as Google Authenticator, Aegis, 1Password or the one built into your phone."
        footer={
          <>
            <Button variant="secondary" onPress={onClose} isDisabled={formState.isSubmitting}>
              Cancel
            </Button>
            <PendingButton type="submit" variant="primary" isPending={formState.isSubmitting}>
              Turn on
            </PendingButton>
          </>
        }
      >
        <ol className="flex flex-col gap-5">
          <li>
            <p className="font-medium">1. Scan this code with the app</p>
            <div className="mt-2 flex flex-col gap-4 sm:flex-row sm:items-start">
              {/* biome-ignore lint/performance/noImgElement: made by the server for this answer only */}
              <img
                src={`data:image/svg+xml,${encodeURIComponent(qrCode)}`}
                alt="QR code with the secret for your authenticator app"
                width={176}
                height={176}
                className="rounded-md border border-border"
              />
              <div className="min-w-0 flex-1">
                <CodeLine label="Or enter this key" value={groupedSecret(secret)} copyLabel="Copy key" />
              </div>
            </div>
          </li>
          <li>
            <p className="font-medium">2. Enter the code it shows</p>
            <div className="mt-2 flex max-w-sm flex-col gap-4">
              <FormTextField
                control={control}
                name="code"
                label="Six-digit code"
                inputMode="numeric"
                autoComplete="one-time-code"
                mono
                isRequired
              />
              <FormError failure={failure} />
            </div>
          </li>
        </ol>
        <p className="mt-4 text-label text-muted">Turning it on signs you out on other devices.</p>
      </SectionCard>
    </form>
  );
}
