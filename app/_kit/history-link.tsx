import { History } from 'lucide-react';
import Link from 'next/link';
import { usePermission } from './use-permission';

interface HistoryLinkProps {
  id: string;
  /** Whose history, for screen readers: "this customer". */
  subject: string;
  className?: string;
}

/** Links to all changes of a record and its parts in the audit log. */
export function HistoryLink({ id, subject, className = '' }: HistoryLinkProps) {
  const { isAllowed } = usePermission('audit:read');
  if (!isAllowed) return null;
  return (
    <Link
      href={`/audit?id=${id}`}
      prefetch={false}
      className={`inline-flex min-h-6 items-center gap-1 text-label text-muted underline-offset-2 hover:text-foreground hover:underline ${className}`}
    >
      <History aria-hidden className="size-3.5" />
      History<span className="sr-only"> of {subject}</span>
    </Link>
  );
}
