import { type ReactNode, useId } from 'react';

interface SectionCardProps {
  title: ReactNode;
  description?: ReactNode;
  /** Placed right of the title. */
  actions?: ReactNode;
  children?: ReactNode;
  /** Buttons of a form, or a note; on a quieter background. */
  footer?: ReactNode;
  /** For content that brings its own padding, such as a table. */
  flush?: boolean;
}

/** A titled surface: the building block of settings and detail pages. */
export function SectionCard({ title, description, actions, children, footer, flush = false }: SectionCardProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="overflow-hidden rounded-lg border border-border bg-surface">
      <div
        className={`flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4 ${children && !flush ? 'pb-0' : 'pb-4'}`}
      >
        {/* On a phone, actions that would leave it too little room go below. */}
        <div className="min-w-0 grow basis-36">
          <h2 id={headingId} className="text-sm font-semibold">
            {title}
          </h2>
          {description && <p className="mt-0.5 max-w-[68ch] text-label text-muted">{description}</p>}
        </div>
        {actions && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
      </div>
      {children && <div className={flush ? 'border-t border-separator' : 'px-5 pt-4 pb-5'}>{children}</div>}
      {footer && (
        <div className="flex flex-wrap items-center justify-end gap-2 border-t border-separator bg-background-secondary px-5 py-3">
          {footer}
        </div>
      )}
    </section>
  );
}
