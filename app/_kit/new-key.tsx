import { KeyRound } from 'lucide-react';
import { CodeLine, useOrigin } from './code-line';

/** A key just issued, shown only once, with an example call that uses it. */
export function NewKey({ value }: { value: string }) {
  const curl = `curl -H "Authorization: Bearer ${value}" ${useOrigin()}/api/v1/identity/customers`;
  return (
    <div className="flex flex-col gap-4">
      <p className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
        <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>Copy the key now. You won’t be able to see it again.</span>
      </p>
      <CodeLine label="Key" value={value} copyLabel="Copy key" />
      <CodeLine label="Try it in a terminal" value={curl} copyLabel="Copy command" />
    </div>
  );
}
