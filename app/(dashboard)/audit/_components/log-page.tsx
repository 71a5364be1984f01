import Link from 'next/link';
import type { ReactNode } from 'react';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Prefetched } from '@/app/_trpc/page-data';

const views = [
  { href: '/audit', label: 'Changes' },
  { href: '/audit/security', label: 'Security' },
] as const;

interface LogPageProps {
  current: (typeof views)[number]['href'];
  description: string;
  /** Prefetches the log. */
  load: () => Promise<unknown>;
  children: ReactNode;
}

/** The layout shared by the audit log and the security log. */
export function LogPage({ current, description, load, children }: LogPageProps) {
  return (
    <>
      <PageHeader title="Audit log" description={description} />
      <nav aria-label="Logs" className="mb-4 border-b border-border">
        <ul className="flex gap-1 sm:gap-2">
          {views.map(({ href, label }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={href === current ? 'page' : undefined}
                className={`-mb-px flex h-10 items-center border-b-2 px-2 whitespace-nowrap -outline-offset-2 sm:px-3 ${
                  href === current
                    ? 'border-accent font-medium text-foreground'
                    : 'border-transparent text-muted hover:text-foreground'
                }`}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Prefetched load={load} fallback={<SkeletonLines lines={10} label="Loading log" />}>
        {children}
      </Prefetched>
    </>
  );
}
