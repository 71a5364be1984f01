'use client';

import { Ban, Ellipsis, RefreshCw } from 'lucide-react';
import { useMemo } from 'react';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { IconButton } from '@/app/_kit/icon-button';
import { MaskedKey } from '@/app/_kit/masked-key';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge, type StatusTone } from '@/app/_kit/status-badge';
import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';
import { type KeyStatus, keyStatus, works } from './key-status';

interface KeyTableProps {
  keys: ApiKeyRecord[];
  onRotate: (apiKey: ApiKeyRecord) => void;
  onRevoke: (apiKey: ApiKeyRecord) => void;
}

const statusWords: Record<KeyStatus, { label: string; tone: StatusTone }> = {
  active: { label: 'Works', tone: 'success' },
  expiring: { label: 'Expires soon', tone: 'warning' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'neutral' },
};

/** The columns of the keys: what each is for, what it looks like, whether it is in use and still works. */
function keyColumns({ onRotate, onRevoke }: Omit<KeyTableProps, 'keys'>): readonly DataColumn<ApiKeyRecord>[] {
  return [
    {
      header: 'Name',
      phone: 'title',
      cell: (key) => <span title={key.name}>{key.name}</span>,
    },
    {
      header: 'Key',
      phone: 'line',
      className: 'md:w-[20%]',
      cell: (key) => <MaskedKey apiKey={key} />,
    },
    {
      header: 'Last used',
      phone: 'aside',
      className: 'text-muted md:w-[17%]',
      cell: (key) => <LastUsed apiKey={key} />,
    },
    {
      header: 'Expires',
      phone: 'hidden',
      className: 'text-muted md:w-[17%]',
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
      cell: (key) => works(key, new Date()) && <KeyActions apiKey={key} onRotate={onRotate} onRevoke={onRevoke} />,
    },
  ];
}

/** The keys, with what can be done with those that work. */
export function KeyTable({ keys, onRotate, onRevoke }: KeyTableProps) {
  const columns = useMemo(() => keyColumns({ onRotate, onRevoke }), [onRotate, onRevoke]);
  return <DataTable label="API keys" columns={columns} rows={keys} />;
}

function Status({ apiKey }: { apiKey: ApiKeyRecord }) {
  const { tone, label } = statusWords[keyStatus(apiKey, new Date())];
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

function KeyActions({ apiKey, onRotate, onRevoke }: { apiKey: ApiKeyRecord } & Omit<KeyTableProps, 'keys'>) {
  return (
    <Dropdown>
      <IconButton label={`Actions for ${apiKey.name}`}>
        <Ellipsis aria-hidden />
      </IconButton>
      <Dropdown.Popover placement="bottom end" className="w-44">
        <Dropdown.Menu
          aria-label={`Actions for ${apiKey.name}`}
          onAction={(action) => (action === 'rotate' ? onRotate(apiKey) : onRevoke(apiKey))}
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
