import Link from 'next/link';
import type { ReactNode } from 'react';

interface AuthCardProps {
  title: string;
  /** Text under the title. */
  lead?: ReactNode;
  children?: ReactNode;
}

/** The card of a page for people who are not signed in. */
export function AuthCard({ title, lead, children }: AuthCardProps) {
  return (
    <section className="rounded-lg border border-border bg-surface p-6">
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      {lead && <p className="mt-2 text-muted">{lead}</p>}
      {children && <div className="mt-5 flex flex-col gap-4">{children}</div>}
    </section>
  );
}

/** A link within or below a text. */
export function AuthLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} prefetch={false} className="text-accent-text underline underline-offset-2">
      {children}
    </Link>
  );
}
