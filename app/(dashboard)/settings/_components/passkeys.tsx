'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { createPasskey, hasPasskeySupport, isPasskeyCanceled, passkeyProblem } from '@/app/_kit/passkey-client';
import { PendingButton } from '@/app/_kit/pending-button';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { useBrowserValue } from '@/app/_kit/use-browser-value';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { PasskeyList, PasskeyRecord } from '@/server/features/accounts/passkey.schema';
import { obstacle } from './passkey-labels';

const RecoveryCodes = onDemandComponent(() => import('./recovery-codes').then((module) => module.RecoveryCodes));
const RenamePasskeyDialog = onDemandComponent(() => import('./passkey-dialogs').then((module) => module.RenamePasskeyDialog));
const RemovePasskeyDialog = onDemandComponent(() => import('./passkey-dialogs').then((module) => module.RemovePasskeyDialog));

/** The passkeys of the account: adding, renaming and removing them. */
export function Passkeys() {
  const trpc = useTRPC();
  const list = useQuery(trpc.passkeys.list.queryOptions({}));
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  if (recoveryCodes) {
    return (
      <RecoveryCodes
        title="Passkey added. Save your recovery codes"
        description="Signing in with your password now also asks for a passkey. If you lose your passkeys, use one of these codes instead. Each works once."
        codes={recoveryCodes}
        onClose={() => setRecoveryCodes(null)}
      />
    );
  }
  return (
    <SectionCard
      title="Passkeys"
      description="Sign in with your fingerprint, face, screen lock or security key instead of your password."
      flush
      footer={list.data && <AddPasskey list={list.data} onRecoveryCodes={setRecoveryCodes} />}
    >
      <QueryResult query={list} failure="Couldn’t load passkeys" loading="Loading passkeys" lines={2} shape="rows">
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <p className="px-5 py-4 text-muted">
              No passkeys yet. Your first one also turns on two-factor sign-in and signs you out on other devices.
            </p>
          ) : (
            <ul aria-label="Passkeys">
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </SectionCard>
  );
}

interface AddPasskeyProps {
  list: PasskeyList;
  onRecoveryCodes: (codes: string[]) => void;
}

function AddPasskey({ list, onRecoveryCodes }: AddPasskeyProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const router = useRouter();
  const isSupported = useBrowserValue(hasPasskeySupport, true);
  const origin = useBrowserValue(() => window.location.origin, list.origin);
  const add = useMutation({
    mutationFn: async () => {
      const options = await client.passkeys.begin.mutate({});
      return client.passkeys.add.mutate({ credential: await createPasskey(options) });
    },
    onSuccess: async ({ name, recoveryCodes }) => {
      if (recoveryCodes) onRecoveryCodes(recoveryCodes);
      else toast.success(`Passkey “${name}” added`);
      await Promise.all([
        queryClient.invalidateQueries(trpc.passkeys.list.queryFilter()),
        queryClient.invalidateQueries(trpc.twoFactor.status.queryFilter()),
        queryClient.invalidateQueries(trpc.account.sessions.queryFilter()),
      ]);
      // A business that requires two-factor authentication opens now.
      router.refresh();
    },
    onError: (error: unknown) => {
      if (isPasskeyCanceled(error)) return;
      const problem = passkeyProblem(error);
      if (problem === null) toast.failure('Couldn’t add the passkey.', error);
      else toast.error(problem);
    },
  });
  const reason = obstacle(list, { origin, isSupported });
  if (reason !== null) return <p className="mr-auto text-label text-muted">{reason}</p>;
  return (
    <PendingButton variant="primary" isPending={add.isPending} onPress={() => add.mutate()}>
      Add passkey
    </PendingButton>
  );
}

function PasskeyRow({ passkey }: { passkey: PasskeyRecord }) {
  const { name, isSynced, otherHost, createdAt, lastUsedAt } = passkey;
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null);
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-b border-separator px-5 py-2.5 last:border-b-0">
      <KeyRound aria-hidden className="size-5 shrink-0 text-muted" strokeWidth={1.5} />
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 font-medium break-words">{name}</span>
          {isSynced && <StatusBadge tone="neutral">Synced</StatusBadge>}
        </p>
        <p className="text-label text-muted">
          Added <RelativeTime value={createdAt} />,{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <RelativeTime value={lastUsedAt} />
            </>
          )}
        </p>
        {otherHost !== null && <p className="text-label text-warning-text">Works only at {otherHost}</p>}
      </div>
      <div className="flex shrink-0 gap-2 pl-8 sm:pl-0">
        <Button variant="secondary" size="sm" aria-label={`Rename ${name}`} onPress={() => setDialog('rename')}>
          Rename
        </Button>
        <Button variant="secondary" size="sm" aria-label={`Remove ${name}`} onPress={() => setDialog('remove')}>
          Remove
        </Button>
      </div>
      {dialog === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={() => setDialog(null)} />}
      {dialog === 'remove' && <RemovePasskeyDialog passkey={passkey} onClose={() => setDialog(null)} />}
    </li>
  );
}
