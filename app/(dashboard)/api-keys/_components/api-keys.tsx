'use client';

import { useQuery } from '@tanstack/react-query';
import { Ban, Bot, Ellipsis, KeyRound, Plus, RefreshCw } from 'lucide-react';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { IconButton } from '@/app/_kit/icon-button';
import { ListBody } from '@/app/_kit/list-body';
import { MaskedKey } from '@/app/_kit/masked-key';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { PageHeader } from '@/app/_kit/page-header';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge, type StatusTone } from '@/app/_kit/status-badge';
import { Surface } from '@/app/_kit/surface';
import { useNewRequest } from '@/app/_kit/use-new-request';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';
import { describeAccess } from './key-access';
import { type KeyStatus, keyStatus, works } from './key-status';

const statusLabels: Record<KeyStatus, { label: string; tone: StatusTone }> = {
  active: { label: 'Active', tone: 'success' },
  expiring: { label: 'Expires soon', tone: 'warning' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'neutral' },
};

/** The columns of the keys: name, prefix, access, use and status. */
function keyColumns(onAsk: AskAbout): readonly DataColumn<ApiKeyRecord>[] {
  return [
    {
      header: 'Name',
      phone: 'title',
      cell: (key) => <span title={key.name}>{key.name}</span>,
    },
    {
      header: 'Key',
      phone: 'line',
      className: 'md:w-[18%]',
      cell: (key) => (
        <>
          <MaskedKey apiKey={key} />
          <span className="block text-muted md:hidden">
            <Access apiKey={key} />
          </span>
        </>
      ),
    },
    {
      header: 'Access',
      phone: 'hidden',
      className: 'md:w-[19%]',
      cell: (key) => <Access apiKey={key} />,
    },
    {
      header: 'Last used',
      phone: 'aside',
      className: 'text-muted md:w-[13%]',
      cell: (key) => <LastUsed apiKey={key} />,
    },
    {
      header: 'Expires',
      phone: 'hidden',
      className: 'text-muted md:w-[13%]',
      cell: (key) => <Expires apiKey={key} />,
    },
    {
      header: 'Status',
      phone: 'line-end',
      className: 'md:w-30',
      cell: (key) => <Status apiKey={key} />,
    },
    {
      header: 'Actions',
      hidesHeader: true,
      // A third column on a phone, beside both lines.
      phone: 'aside',
      className: 'md:w-14 md:text-right max-md:col-start-3! max-md:row-[1/3]! max-md:-mr-2',
      cell: (key) => works(key, new Date()) && <KeyActions apiKey={key} onAsk={onAsk} />,
    },
  ];
}

/** The agent it acts for, and what it may do. */
function Access({ apiKey: { scopes, agentId, agent } }: { apiKey: ApiKeyRecord }) {
  const { label, details } = describeAccess(scopes);
  if (agentId === null) return <span title={details}>{label}</span>;
  const paused = agent?.status === 'active' ? '' : ` (${agent?.status ?? 'deleted'})`;
  return (
    <span title={details} className="flex min-w-0 items-center gap-1.5">
      <Bot aria-hidden className="size-3.5 shrink-0 text-muted" />
      <span className="truncate">
        <span className="sr-only">Agent </span>
        {agent?.name ?? 'Former agent'}
        {paused && <span className="text-warning-text">{paused}</span>}
      </span>
    </span>
  );
}

function Status({ apiKey }: { apiKey: ApiKeyRecord }) {
  const { tone, label } = statusLabels[keyStatus(apiKey, new Date())];
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}

function LastUsed({ apiKey }: { apiKey: ApiKeyRecord }) {
  return apiKey.lastUsedAt === null ? 'Never used' : <RelativeTime value={apiKey.lastUsedAt} />;
}

function Expires({ apiKey }: { apiKey: ApiKeyRecord }) {
  if (apiKey.revokedAt !== null) {
    return (
      <>
        Revoked <RelativeTime value={apiKey.revokedAt} />
      </>
    );
  }
  return apiKey.expiresAt === null ? 'Never' : <RelativeTime value={apiKey.expiresAt} />;
}

function KeyActions({ apiKey, onAsk }: { apiKey: ApiKeyRecord; onAsk: AskAbout }) {
  return (
    <Dropdown>
      <IconButton label={`Actions for ${apiKey.name}`}>
        <Ellipsis aria-hidden />
      </IconButton>
      <Dropdown.Popover placement="bottom end" className="w-44">
        <Dropdown.Menu
          aria-label={`Actions for ${apiKey.name}`}
          onAction={(action) => onAsk(action === 'rotate' ? 'rotate' : 'revoke', apiKey)}
        >
          <Dropdown.Item id="rotate" textValue="Rotate">
            <RefreshCw aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
            Rotate…
          </Dropdown.Item>
          <Dropdown.Item id="revoke" textValue="Revoke" className="text-danger-text">
            <Ban aria-hidden className="size-4" strokeWidth={1.75} />
            Revoke…
          </Dropdown.Item>
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}

// Loaded when the first one opens.
const CreateKeyDialog = onDemandComponent(() => import('./create-key-dialog').then((module) => module.CreateKeyDialog));
const IssuedKeyDialog = onDemandComponent(() => import('./key-dialogs').then((module) => module.IssuedKeyDialog));
const RevokeKeyDialog = onDemandComponent(() => import('./key-dialogs').then((module) => module.RevokeKeyDialog));
const RotateKeyDialog = onDemandComponent(() => import('./key-dialogs').then((module) => module.RotateKeyDialog));

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'rotate' | 'revoke'; apiKey: ApiKeyRecord }
  | { kind: 'issued'; name: string; value: string };

/** Opens the dialog of an action on a key. */
type AskAbout = (kind: 'rotate' | 'revoke', apiKey: ApiKeyRecord) => void;

/** The list of keys and its dialogs. */
export function ApiKeys() {
  const trpc = useTRPC();
  const keys = useQuery(trpc.apiKeys.list.queryOptions({}));
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  useNewRequest(() => setDialog({ kind: 'create' }));
  const close = () => setDialog(null);
  const ask = useCallback<AskAbout>((kind, apiKey) => setDialog({ kind, apiKey }), []);
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
        description="API keys let other apps access your data. Use one key per app."
        primaryAction={keys.data && keys.data.length > 0 && create}
      />
      <Surface isList>
        <ListBody
          what="keys"
          error={keys.data ? null : keys.error}
          onRetry={() => void keys.refetch()}
          reassurance="Your keys aren’t affected."
          isLoaded={keys.data !== undefined}
          isEmpty={keys.data?.length === 0}
          empty={
            <EmptyState
              icon={KeyRound}
              title="No keys yet"
              description="Create a key to connect a website, a shop or a script."
              action={create}
            />
          }
          lines={4}
        >
          <KeyList keys={keys.data ?? []} onAsk={ask} />
        </ListBody>
      </Surface>
      {dialog?.kind === 'create' && <CreateKeyDialog onClose={close} onIssued={showIssued} />}
      {dialog?.kind === 'rotate' && <RotateKeyDialog apiKey={dialog.apiKey} onClose={close} onIssued={showIssued} />}
      {dialog?.kind === 'revoke' && <RevokeKeyDialog apiKey={dialog.apiKey} onClose={close} />}
      {dialog?.kind === 'issued' && <IssuedKeyDialog name={dialog.name} value={dialog.value} onClose={close} />}
    </>
  );
}

/** Working keys, and on demand those that no longer work. */
function KeyList({ keys, onAsk }: { keys: ApiKeyRecord[]; onAsk: AskAbout }) {
  const columns = useMemo(() => keyColumns(onAsk), [onAsk]);
  const [showsAll, setShowsAll] = useQueryState('all', parseAsBoolean.withDefault(false));
  const now = new Date();
  const working = keys.filter((key) => works(key, now));
  const others = keys.length - working.length;
  return (
    <>
      {working.length === 0 && !showsAll ? (
        <p className="px-5 py-6 text-muted">No active keys. Create one to use the API.</p>
      ) : (
        <DataTable label="API keys" columns={columns} rows={showsAll ? keys : working} />
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
