import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';

/** What is known of a record and not changed here, a fact a line. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-3 text-label">{children}</dl>;
}

interface FactProps {
  term: string;
  /** What it means, in smaller words below. */
  note?: ReactNode;
  /** Offers the value for copying; `label` names the button: "Copy customer id". */
  copy?: { value: string; label: string };
  children: ReactNode;
}

/** A term and its value, at the two ends of a line. */
export function Fact({ term, note, copy, children }: FactProps) {
  return (
    <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4">
      <dt className="shrink-0 text-muted">{term}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-end gap-1 text-right">
        {children}
        {copy && (
          // Its own height would set the lines with a button apart from those without.
          <span className="-my-1.5">
            <CopyButton size="sm" value={copy.value} label={copy.label} />
          </span>
        )}
      </dd>
      {note && <dd className="w-full text-xs text-muted">{note}</dd>}
    </div>
  );
}

/** An id, a key or another word of machines. */
export function CodeFact({ children }: { children: string }) {
  return (
    <code className="min-w-0 truncate font-mono text-xs" title={children}>
      {children}
    </code>
  );
}
