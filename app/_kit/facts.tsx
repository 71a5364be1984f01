import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';

/** Read-only facts of a record, one per line. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-3 text-label">{children}</dl>;
}

interface FactProps {
  term: string;
  /** An explanation in smaller text below. */
  note?: ReactNode;
  /** Adds a copy button; `label` is its name: "Copy customer id". */
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
          // Keeps the button from making its line taller than the others.
          <span className="-my-1.5">
            <CopyButton size="sm" value={copy.value} label={copy.label} />
          </span>
        )}
      </dd>
      {note && <dd className="w-full text-xs text-muted">{note}</dd>}
    </div>
  );
}

/** An id, a key or another machine-readable value. */
export function CodeFact({ children }: { children: string }) {
  return (
    <code className="min-w-0 truncate font-mono text-xs" title={children}>
      {children}
    </code>
  );
}
