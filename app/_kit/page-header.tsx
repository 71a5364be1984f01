import { ChevronLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: ReactNode;
  /** Placed before title and description, e.g. a picture. */
  leading?: ReactNode;
  description?: ReactNode;
  /** Secondary actions. */
  actions?: ReactNode;
  /** The main action of the page. On a phone it floats above the bar, within reach of the thumb. */
  primaryAction?: ReactNode;
  back?: { href: string; label: string };
}

/** The head of every dashboard page: title, link to the parent, and the main action. */
export function PageHeader({ title, leading, description, actions, primaryAction, back }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        {back && (
          <Link
            href={back.href}
            className="-ml-1 mb-1 inline-flex min-h-6 items-center gap-0.5 text-label text-muted hover:text-foreground"
          >
            <ChevronLeft aria-hidden className="size-4" />
            {back.label}
          </Link>
        )}
        <div className={leading ? 'flex items-center gap-3' : 'contents'}>
          {leading}
          <div className={leading ? 'min-w-0 flex-1' : 'contents'}>
            <h1 className="truncate text-title leading-9 font-semibold tracking-tight">{title}</h1>
            {description && <p className="max-w-[68ch] text-muted">{description}</p>}
          </div>
        </div>
      </div>
      {(actions || primaryAction) && (
        <div className="flex shrink-0 flex-wrap items-center gap-2">
          {actions}
          {primaryAction && <div className="floats-on-phones">{primaryAction}</div>}
        </div>
      )}
    </header>
  );
}
