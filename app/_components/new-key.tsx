'use client';

import { KeyRound } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { CopyButton } from './copy-button';

const noChange = () => () => {};

/** The address of this installation as the viewer reaches it. */
function useOrigin(): string {
  return useSyncExternalStore(
    noChange,
    () => window.location.origin,
    () => '',
  );
}

/** A key just issued, the only time it can be seen, and a call that works with it as it is. */
export function NewKey({ value }: { value: string }) {
  const curl = `curl -H "Authorization: Bearer ${value}" ${useOrigin()}/api/v1/identity/customers`;
  return (
    <div className="flex flex-col gap-4">
      <p className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
        <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>Copy the key now. It is shown only this once, and only its fingerprint is stored.</span>
      </p>
      <CodeLine label="Key" value={value} copyLabel="Copy key" />
      <CodeLine label="Try it in a terminal" value={curl} copyLabel="Copy command" />
    </div>
  );
}

function CodeLine({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  return (
    <div>
      <p className="mb-1 text-label font-medium">{label}</p>
      <div className="flex items-start gap-1 rounded-md border border-border bg-background-secondary py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1.5 font-mono text-label wrap-anywhere select-all">{value}</code>
        <CopyButton value={value} label={copyLabel} size="sm" />
      </div>
    </div>
  );
}
