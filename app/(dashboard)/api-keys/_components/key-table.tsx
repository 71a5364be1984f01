'use client';

import { Button } from '@heroui/react/button';
import { Dropdown } from '@heroui/react/dropdown';
import { Ban, Ellipsis, RefreshCw } from 'lucide-react';
import { RelativeTime } from '@/app/_components/relative-time';
import { StatusBadge, type StatusTone } from '@/app/_components/status-badge';
import type { ApiKeyRecord } from '@/server/modules/api-keys/api-key.schema';
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

/** Keys in rows; on a phone the columns that matter less fold into a second line. */
export function KeyTable({ keys, onRotate, onRevoke }: KeyTableProps) {
  const now = new Date();
  return (
    <table className="w-full table-fixed text-left">
      <thead className="border-b border-separator text-label text-muted">
        <tr>
          <th scope="col" className="h-9 px-4 font-medium sm:w-[28%] sm:px-5">
            Name
          </th>
          <th scope="col" className="hidden px-2 font-medium md:table-cell">
            Key
          </th>
          <th scope="col" className="hidden px-2 font-medium sm:table-cell">
            Last used
          </th>
          <th scope="col" className="hidden px-2 font-medium sm:table-cell">
            Expires
          </th>
          <th scope="col" className="w-28 px-2 font-medium">
            Status
          </th>
          <th scope="col" className="w-14">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const status = statusWords[keyStatus(key, now)];
          return (
            <tr key={key.id} className="border-b border-separator last:border-b-0 hover:bg-surface-hover">
              <td className="h-11 px-4 py-1.5 sm:px-5">
                <div className="truncate font-medium" title={key.name}>
                  {key.name}
                </div>
                <div className="mt-0.5 md:hidden">
                  <MaskedKey apiKey={key} />
                </div>
                <div className="mt-0.5 text-label text-muted sm:hidden">
                  <LastUsed apiKey={key} prefix="Used " />
                </div>
              </td>
              <td className="hidden px-2 md:table-cell">
                <MaskedKey apiKey={key} />
              </td>
              <td className="hidden px-2 text-label text-muted sm:table-cell">
                <LastUsed apiKey={key} />
              </td>
              <td className="hidden px-2 text-label text-muted sm:table-cell">
                <Expires apiKey={key} />
              </td>
              <td className="px-2">
                <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
              </td>
              <td className="pr-3 text-right">
                {works(key, now) && <KeyActions apiKey={key} onRotate={onRotate} onRevoke={onRevoke} />}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function MaskedKey({ apiKey }: { apiKey: ApiKeyRecord }) {
  return (
    <span className="block truncate font-mono text-xs text-muted">
      {apiKey.prefix}…{apiKey.last4}
    </span>
  );
}

function LastUsed({ apiKey, prefix = '' }: { apiKey: ApiKeyRecord; prefix?: string }) {
  if (apiKey.lastUsedAt === null) return 'Never used';
  return (
    <>
      {prefix}
      <RelativeTime value={apiKey.lastUsedAt} />
    </>
  );
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
      <Button variant="ghost" size="sm" isIconOnly aria-label={`Actions for ${apiKey.name}`}>
        <Ellipsis aria-hidden />
      </Button>
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
