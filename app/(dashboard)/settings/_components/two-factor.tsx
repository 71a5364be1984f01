'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { TwoFactorStatus } from '@/server/features/accounts/two-factor.schema';
import { Fact, Facts } from './facts';
import { recoveryCodesHint } from './two-factor-labels';

const TwoFactorSetup = onDemandComponent(() => import('./two-factor-setup').then((module) => module.TwoFactorSetup));
const NewRecoveryCodes = onDemandComponent(() => import('./new-recovery-codes').then((module) => module.NewRecoveryCodes));

/** Two-factor sign-in: setup, recovery codes, and turning it off. */
export function TwoFactor() {
  const trpc = useTRPC();
  const status = useQuery(trpc.twoFactor.status.queryOptions({}));
  // Stays open after it was turned on, to show the recovery codes.
  const [isSettingUp, setSettingUp] = useState(false);
  if (isSettingUp) return <TwoFactorSetup onClose={() => setSettingUp(false)} />;
  return (
    <QueryResult query={status} failure="Couldn’t load settings" loading="Loading security settings" lines={4}>
      {(data) =>
        data.enabledAt === null && !data.hasPasskeys ? (
          <IsOff onSetUp={() => setSettingUp(true)} />
        ) : (
          <IsOn status={data} onSetUp={() => setSettingUp(true)} />
        )
      }
    </QueryResult>
  );
}

const description = 'Signing in with your password also asks for a code from your authenticator app.';

function IsOff({ onSetUp }: { onSetUp: () => void }) {
  return (
    <SectionCard
      title="Two-factor sign-in"
      description={description}
      actions={<StatusBadge tone="neutral">Off</StatusBadge>}
      footer={
        <Button variant="primary" onPress={onSetUp}>
          Set up two-factor sign-in
        </Button>
      }
    />
  );
}

interface IsOnProps {
  status: TwoFactorStatus;
  onSetUp: () => void;
}

function IsOn({ status: { enabledAt, hasPasskeys, recoveryCodesLeft, isReadable }, onSetUp }: IsOnProps) {
  const [open, setOpen] = useState<'codes' | 'off' | null>(null);
  if (open === 'codes') return <NewRecoveryCodes onClose={() => setOpen(null)} />;
  const hint = recoveryCodesHint(recoveryCodesLeft);
  return (
    <SectionCard
      title="Two-factor sign-in"
      description={descriptionOf(enabledAt !== null, hasPasskeys)}
      actions={<StatusBadge tone="success">On</StatusBadge>}
      footer={
        <>
          <Button variant="secondary" onPress={() => setOpen('codes')}>
            New recovery codes
          </Button>
          {enabledAt === null ? (
            <Button variant="secondary" onPress={onSetUp}>
              Set up authenticator app
            </Button>
          ) : (
            <Button variant="secondary" onPress={() => setOpen('off')}>
              {hasPasskeys ? 'Turn off app' : 'Turn off'}
            </Button>
          )}
        </>
      }
    >
      {!isReadable && (
        <p role="alert" className="mb-4 rounded-md bg-danger-soft px-3 py-2 text-danger-text">
          Codes from your app can’t be checked because the server’s secret has changed. Turn two-factor sign-in off with a
          recovery code, then set it up again.
        </p>
      )}
      <Facts>
        <Fact label="Authenticator app">
          {enabledAt === null ? (
            'Not set up'
          ) : (
            <>
              Turned on <RelativeTime value={enabledAt} />
            </>
          )}
        </Fact>
        <Fact label="Recovery codes">
          {recoveryCodesLeft} of 10 left
          {hint && <p className="mt-1 text-warning-text">{hint}</p>}
        </Fact>
      </Facts>
      {open === 'off' && <TurnOffTwoFactorDialog hasPasskeys={hasPasskeys} onClose={() => setOpen(null)} />}
    </SectionCard>
  );
}

function descriptionOf(hasApp: boolean, hasPasskeys: boolean): string {
  if (!hasPasskeys) return description;
  return hasApp
    ? 'Signing in with your password also asks for a code from your authenticator app or a passkey.'
    : 'Signing in with your password also asks for a passkey. It turns off when you remove your last one.';
}

const allOff =
  'You’ll sign in with only your password, and other devices are signed out. Your recovery codes stop working. You can delete the entry in your authenticator app.';
const appOff =
  'Signing in with your password goes on asking for a passkey or a recovery code. Other devices are signed out. You can delete the entry in your authenticator app.';

interface TurnOffProps {
  hasPasskeys: boolean;
  onClose: () => void;
}

/** Asks before the app is turned off. */
function TurnOffTwoFactorDialog({ hasPasskeys, onClose }: TurnOffProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const disable = useMutation(
    trpc.twoFactor.disable.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.twoFactor.status.queryFilter());
        toast(hasPasskeys ? 'Authenticator app is off' : 'Two-factor sign-in is off');
        onClose();
      },
      onError: (error) => toast.failure('Two-factor sign-in is still on.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={hasPasskeys ? 'Turn off the authenticator app?' : 'Turn off two-factor sign-in?'}
      description={hasPasskeys ? appOff : allOff}
      confirmLabel="Turn off"
      tone="danger"
      isPending={disable.isPending}
      onConfirm={() => disable.mutate({})}
    />
  );
}
