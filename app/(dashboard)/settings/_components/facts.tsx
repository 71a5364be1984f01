import type { ReactNode } from 'react';

/** Names and values, side by side if there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-3">{children}</dl>;
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="sm:grid sm:grid-cols-[9rem_minmax(0,1fr)] sm:gap-6">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
