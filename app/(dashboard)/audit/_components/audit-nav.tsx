import Link from 'next/link';

const views = [
  { href: '/audit', label: 'Changes' },
  { href: '/audit/security', label: 'Security' },
] as const;

/** The two logs: what was changed, and what was refused. */
export function AuditNav({ current }: { current: (typeof views)[number]['href'] }) {
  return (
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
  );
}
