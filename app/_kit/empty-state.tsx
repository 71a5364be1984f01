import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** One sentence: what the page is for. */
  description?: ReactNode;
  action?: ReactNode;
  /** `h1` if nothing else names the page. */
  heading?: 'h1' | 'h2';
}

/** Shown while there is nothing yet: the purpose and one action. */
export function EmptyState({ icon: Icon, title, description, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 flex size-10 items-center justify-center rounded-lg border border-border bg-background-secondary text-muted">
        <Icon aria-hidden className="size-5" strokeWidth={1.75} />
      </span>
      <Heading className="text-sm font-semibold">{title}</Heading>
      {description && <p className="mt-1 max-w-[46ch] text-muted">{description}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
