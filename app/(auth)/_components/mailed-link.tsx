'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { ButtonLink } from '@/app/_kit/button-link';
import { errorFacts } from '@/app/_kit/error-facts';
import { ErrorState } from '@/app/_kit/error-state';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { AuthCard } from './auth-card';

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/**
 * The token of a mailed link: what follows the `#` of the address, which browsers send to no server. Null until the browser has the page,
 * empty where there is none.
 */
export function useLinkToken(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => window.location.hash.slice(1),
    () => null,
  );
}

/** A card that says something, and where to go from there. */
interface Notice {
  title: string;
  lead: ReactNode;
  href: string;
  /** On the button that leads there. */
  label: string;
}

/** What a page hands to the card that uses a link. */
export interface LinkInUse<Link> {
  /** What the server says of the link. */
  link: Link;
  token: string;
  /** The link has been used. */
  onDone: () => void;
  /** It does not work any more. */
  onOver: () => void;
}

interface MailedLinkProps<Link> {
  /** Of the card while the link is looked up. */
  title: string;
  /** What the server says of a link, without using it up; fails with `not_found` where it does not work. */
  read: (token: string) => Promise<Link>;
  /** The card that uses the link. */
  children: (use: LinkInUse<Link>) => ReactNode;
  done: (link: Link) => Notice;
  over: Omit<Notice, 'title'>;
}

/** The page behind a mailed link: looks the link up, shows what it does, and what became of it. */
export function MailedLink<Link>({ title, read, children, done, over }: MailedLinkProps<Link>) {
  const token = useLinkToken();
  const [used, setUsed] = useState<Link | null>(null);
  const [isOver, setOver] = useState(false);
  const lookup = useQuery({
    queryKey: ['mailed-link', title, token],
    queryFn: () => (token ? read(token.slice(0, 200)).catch(nullWhereNotFound) : null),
    enabled: token !== null && used === null,
    staleTime: Number.POSITIVE_INFINITY,
  });

  if (used !== null) {
    return (
      <div role="status">
        <NoticeCard {...done(used)} />
      </div>
    );
  }
  if (lookup.isError) {
    return <ErrorState error={lookup.error} onRetry={() => void lookup.refetch()} title="The link could not be checked" />;
  }
  if (lookup.data === undefined || token === null) {
    return (
      <AuthCard title={title}>
        <SkeletonLines shape="text" lines={3} label="Checking the link" />
      </AuthCard>
    );
  }
  const link = lookup.data;
  if (link === null || isOver) return <NoticeCard title="This link does not work" {...over} />;
  const onDone = () => {
    setUsed(link);
    // Worth nothing any more, and not to be kept in the history.
    window.history.replaceState(null, '', window.location.pathname);
  };
  return children({ link, token, onDone, onOver: () => setOver(true) });
}

function nullWhereNotFound(error: unknown): null {
  if (errorFacts(error).code === 'not_found') return null;
  throw error;
}

function NoticeCard({ title, lead, href, label }: Notice) {
  return (
    <AuthCard title={title} lead={lead}>
      <ButtonLink variant="primary" href={href} prefetch={false}>
        {label}
      </ButtonLink>
    </AuthCard>
  );
}
