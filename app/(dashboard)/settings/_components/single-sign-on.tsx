'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { PendingButton } from '@/app/_kit/pending-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { SingleSignOnStatus } from '@/server/features/accounts/oidc.schema';
import { Fact, Facts } from './facts';

/** Connects the account with one of the OpenID Connect provider; nothing where there is no provider. */
export function SingleSignOn() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.singleSignOn.status.queryOptions({}));
  if (!data || data.provider === null) return null;
  const { provider, connection } = data;
  return connection ? <Connected provider={provider} connection={connection} /> : <NotConnected provider={provider} />;
}

const description = 'Sign in with your company’s account instead of a password.';

function NotConnected({ provider }: { provider: string }) {
  const trpc = useTRPC();
  const connect = useMutation(
    trpc.singleSignOn.connect.mutationOptions({
      onSuccess: ({ url }) => window.location.assign(url),
      onError: (error) => toast.failure('Single sign-on is not connected.', error),
    }),
  );
  return (
    <SectionCard
      title="Single sign-on"
      description={description}
      actions={<StatusBadge tone="neutral">Not connected</StatusBadge>}
      footer={
        <PendingButton
          variant="primary"
          isPending={connect.isPending || connect.isSuccess}
          onPress={() => connect.mutate({ returnTo: window.location.pathname })}
        >
          Connect
        </PendingButton>
      }
    >
      <p className="break-words text-muted">You sign in at {provider}, then come back here.</p>
    </SectionCard>
  );
}

interface ConnectedProps {
  provider: string;
  connection: NonNullable<SingleSignOnStatus['connection']>;
}

function Connected({ provider, connection: { email, connectedAt, lastUsedAt } }: ConnectedProps) {
  const [asks, setAsks] = useState(false);
  return (
    <SectionCard
      title="Single sign-on"
      description={description}
      actions={<StatusBadge tone="success">Connected</StatusBadge>}
      footer={
        <Button variant="secondary" onPress={() => setAsks(true)}>
          Disconnect
        </Button>
      }
    >
      <Facts>
        <Fact label="Account">{email ?? 'Without an email'}</Fact>
        <Fact label="Provider">{provider}</Fact>
        <Fact label="Connected">
          <RelativeTime value={connectedAt} />
        </Fact>
        <Fact label="Last used">
          <RelativeTime value={lastUsedAt} />
        </Fact>
      </Facts>
      {asks && <DisconnectDialog onClose={() => setAsks(false)} />}
    </SectionCard>
  );
}

function DisconnectDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const disconnect = useMutation(
    trpc.singleSignOn.disconnect.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.singleSignOn.status.queryFilter());
        toast('Single sign-on is disconnected');
        onClose();
      },
      onError: (error) => {
        toast.failure('Single sign-on is still connected.', error);
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Disconnect single sign-on?"
      description="You’ll sign in with your password, and other devices are signed out."
      confirmLabel="Disconnect"
      tone="danger"
      isPending={disconnect.isPending}
      onConfirm={() => disconnect.mutate({})}
    />
  );
}
