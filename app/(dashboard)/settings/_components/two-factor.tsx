'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ErrorState } from '@/app/_kit/error-state';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useTRPC } from '@/app/_trpc/client';
import type { TwoFactorStatus } from '@/server/features/accounts/two-factor.schema';
import { Fact, Facts } from './facts';
import { recoveryCodesHint } from './two-factor-words';

const TwoFactorSetup = onDemandComponent(() => import('./two-factor-setup').then((module) => module.TwoFactorSetup));
const NewRecoveryCodes = onDemandComponent(() => import('./new-recovery-codes').then((module) => module.NewRecoveryCodes));
const TurnOffTwoFactorDialog = onDemandComponent(() =>
  import('./turn-off-two-factor-dialog').then((module) => module.TurnOffTwoFactorDialog),
);

/** Two-factor sign-in: setting it up, its recovery codes, and turning it off. */
export function TwoFactor() {
  const trpc = useTRPC();
  const status = useQuery(trpc.twoFactor.status.queryOptions({}));
  // Stays open past the moment at which it is on: it shows the recovery codes then.
  const [isSettingUp, setSettingUp] = useState(false);
  if (isSettingUp) return <TwoFactorSetup onClose={() => setSettingUp(false)} />;
  if (status.data) {
    return status.data.enabledAt === null ? <IsOff onSetUp={() => setSettingUp(true)} /> : <IsOn status={status.data} />;
  }
  if (status.isError) {
    return <ErrorState error={status.error} onRetry={() => void status.refetch()} title="The settings could not be loaded" />;
  }
  return <SkeletonLines shape="text" lines={4} label="Loading security settings" />;
}

const description =
  'After your password, signing in asks for a code from an authenticator app on your phone. A stolen password alone opens nothing then.';

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

function IsOn({ status: { enabledAt, recoveryCodesLeft, isReadable } }: { status: TwoFactorStatus }) {
  const [open, setOpen] = useState<'codes' | 'off' | null>(null);
  if (open === 'codes') return <NewRecoveryCodes onClose={() => setOpen(null)} />;
  const hint = recoveryCodesHint(recoveryCodesLeft);
  return (
    <SectionCard
      title="Two-factor sign-in"
      description={description}
      actions={<StatusBadge tone="success">On</StatusBadge>}
      footer={
        <>
          <Button variant="secondary" onPress={() => setOpen('codes')}>
            New recovery codes
          </Button>
          <Button variant="secondary" onPress={() => setOpen('off')}>
            Turn off
          </Button>
        </>
      }
    >
      {!isReadable && (
        <p role="alert" className="mb-4 rounded-md bg-danger-soft px-3 py-2 text-danger-text">
          The server’s secret has changed, so it can’t check codes of your app any more. Turn two-factor sign-in off with a
          recovery code and set it up again.
        </p>
      )}
      <Facts>
        <Fact label="Turned on">
          <RelativeTime value={enabledAt ?? ''} />
        </Fact>
        <Fact label="Recovery codes">
          {recoveryCodesLeft} of 10 left
          {hint && <p className="mt-1 text-warning-text">{hint}</p>}
        </Fact>
      </Facts>
      {open === 'off' && <TurnOffTwoFactorDialog onClose={() => setOpen(null)} />}
    </SectionCard>
  );
}
