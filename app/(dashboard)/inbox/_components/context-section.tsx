import { type ReactNode, useId } from 'react';

/** A titled part of the details beside a thread. */
export function ContextSection({ title, children }: { title: string; children: ReactNode }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 text-xs font-medium text-muted">
        {title}
      </h2>
      {children}
    </section>
  );
}
