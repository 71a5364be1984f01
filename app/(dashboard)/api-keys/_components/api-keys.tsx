'use client';

import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { ErrorState } from '@/app/_kit/error-state';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Surface } from '@/app/_kit/surface';
import { useNewRequest } from '@/app/_kit/use-new-request';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';
import { works } from './key-status';
import { KeyTable } from './key-table';

// Dialogs come when opened; the list itself needs no forms.
// `ssr: false` gives each a boundary of its own: without one the whole page is hidden until it is there, and its buttons lose the focus.
const CreateKeyDialog = onDemandComponent(() => import('./create-key-dialog').then((module) => module.CreateKeyDialog));
const IssuedKeyDialog = onDemandComponent(() => import('./issued-key-dialog').then((module) => module.IssuedKeyDialog));
const RevokeKeyDialog = onDemandComponent(() => import('./revoke-key-dialog').then((module) => module.RevokeKeyDialog));
const RotateKeyDialog = onDemandComponent(() => import('./rotate-key-dialog').then((module) => module.RotateKeyDialog));

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'rotate'; apiKey: ApiKeyRecord }
  | { kind: 'revoke'; apiKey: ApiKeyRecord }
  | { kind: 'issued'; name: string; value: string };

/** The list of keys and everything that is done with them. */
export function ApiKeys() {
  const trpc = useTRPC();
  const keys = useQuery(trpc.apiKeys.list.queryOptions({}));
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  useNewRequest(() => setDialog({ kind: 'create' }));
  const close = () => setDialog(null);
  const showIssued = (name: string, value: string) => setDialog({ kind: 'issued', name, value });
  const create = (
    <Button variant="primary" onPress={() => setDialog({ kind: 'create' })}>
      <Plus aria-hidden />
      New key
    </Button>
  );

  return (
    <>
      <PageHeader
        title="API keys"
        description="A key lets a program read and change what belongs to this business, over the REST API. Give every program its own."
        primaryAction={keys.data && keys.data.length > 0 && create}
      />
      <Surface isList>
        {keys.isPending && <SkeletonLines lines={4} label="Loading keys" />}
        {keys.isError && !keys.data && (
          <ErrorState
            error={keys.error}
            onRetry={() => void keys.refetch()}
            title="The keys could not be loaded"
            reassurance="Keys go on working as before."
          />
        )}
        {keys.data?.length === 0 && (
          <EmptyState
            icon={KeyRound}
            title="No keys yet"
            description="Create one to connect a website, a shop or a script of your own."
            action={create}
            apiHint="GET /identity/customers"
          />
        )}
        {keys.data && keys.data.length > 0 && (
          <KeyList
            keys={keys.data}
            onRotate={(apiKey) => setDialog({ kind: 'rotate', apiKey })}
            onRevoke={(apiKey) => setDialog({ kind: 'revoke', apiKey })}
          />
        )}
      </Surface>
      {dialog?.kind === 'create' && <CreateKeyDialog onClose={close} onIssued={showIssued} />}
      {dialog?.kind === 'rotate' && <RotateKeyDialog apiKey={dialog.apiKey} onClose={close} onIssued={showIssued} />}
      {dialog?.kind === 'revoke' && <RevokeKeyDialog apiKey={dialog.apiKey} onClose={close} />}
      {dialog?.kind === 'issued' && <IssuedKeyDialog name={dialog.name} value={dialog.value} onClose={close} />}
    </>
  );
}

interface KeyListProps {
  keys: ApiKeyRecord[];
  onRotate: (apiKey: ApiKeyRecord) => void;
  onRevoke: (apiKey: ApiKeyRecord) => void;
}

/** Working keys; those that no longer work on demand, since they are a matter of record only. */
function KeyList({ keys, onRotate, onRevoke }: KeyListProps) {
  const [showsAll, setShowsAll] = useQueryState('all', parseAsBoolean.withDefault(false));
  const now = new Date();
  const working = keys.filter((key) => works(key, now));
  const others = keys.length - working.length;
  return (
    <>
      {working.length === 0 && !showsAll ? (
        <p className="px-5 py-6 text-muted">No key works at the moment. Create a new one to use the API.</p>
      ) : (
        <KeyTable keys={showsAll ? keys : working} onRotate={onRotate} onRevoke={onRevoke} />
      )}
      {others > 0 && (
        <div className="border-t border-separator px-3 py-1.5">
          <Button variant="ghost" size="sm" aria-expanded={showsAll} onPress={() => void setShowsAll(!showsAll)}>
            {showsAll ? 'Hide' : 'Show'} revoked and expired ({others})
          </Button>
        </div>
      )}
    </>
  );
}
