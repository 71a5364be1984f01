import Link from 'next/link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import type { Home } from '@/server/features/home/home.schema';
import { cappedCount } from './attention';
import { CardLink } from './card-link';

/** Posts that were begun and not published. */
export function DraftsCard({ drafts: { count, latest } }: { drafts: Home['drafts'] }) {
  const all = count === 1 ? '1 draft' : `${cappedCount(count)} drafts`;
  return (
    <SectionCard title="Drafts" flush actions={<CardLink href="/posts?status=draft">{all}</CardLink>}>
      <ul>
        {latest.map(({ id, title, updatedAt }) => (
          <li key={id} className="border-b border-separator last:border-b-0">
            <Link href={`/posts/${id}`} prefetch={false} className="block px-5 py-2.5 -outline-offset-2 hover:bg-surface-hover">
              <span className="block truncate font-medium" title={title}>
                {title.trim() || 'Untitled'}
              </span>
              <span className="mt-0.5 block text-label text-muted">
                Edited <RelativeTime value={updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}
