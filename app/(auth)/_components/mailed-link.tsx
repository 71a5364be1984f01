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
 * The token of a mailed link: the part after the `#`, which browsers never send to a server. Null until the page is hydrated,
 * empty if there is none.
 */
export function useLinkToken(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => window.location.hash.slice(1),
    () => null,
  );
}

/** A card with a message and a link onwards. */
interface Notice {
  title: string;
  lead: ReactNode;
  href: string;
  /** Label of the button that leads there. */
  label: string;
}

/** What a page passes to the card that uses a link. */
export interface LinkInUse<Link> {
  /** What the server reports about the link. */
  link: Link;
  token: string;
  /** The link has been used. */
  onDone: () => void;
  /** The link has expired or was already used. */
  onExpired: () => void;
}

interface MailedLinkProps<Link> {
  /** Title of the card while the link is looked up. */
  title: string;
  /** Looks a link up without using it up; fails with `not_found` if it no longer works. */
  read: (token: string) => Promise<Link>;
  /** The card that uses the link. */
  children: (use: LinkInUse<Link>) => ReactNode;
  done: (link: Link) => Notice;
  over: Omit<Notice, 'title'>;
}

/** The page behind a mailed link: looks the link up, then shows what it does and the outcome. */
export function MailedLink<Link>({ title, read, children, done, over }: MailedLinkProps<Link>) {
  const token = useLinkToken();
  const [used, setUsed] = useState<Link | null>(null);
  const [isExpired, setExpired] = useState(false);
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
  if (link === null || isExpired) return <NoticeCard title="This link doesn’t work" {...over} />;
  const onDone = () => {
    setUsed(link);
    // The token is used up, so it is removed from the address and the history.
    window.history.replaceState(null, '', window.location.pathname);
  };
  return children({ link, token, onDone, onExpired: () => setExpired(true) });
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
