import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';

/** Length at which the server cuts generated addresses, in characters. */
const generatedMaximum = 80;

/** A title in lower-case ASCII kebab case. Other scripts, which the server transliterates, are left out. */
function kebab(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['`‘’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * Whether a post's address still follows its title: until someone edits it or readers know it. If that is unknown, as with
 * titles in other scripts, the address stays unchanged.
 */
export function followsTitle({ title, slug, status, publishedAt }: BlogPostRecord): boolean {
  if (status !== 'draft' || publishedAt !== null) return false;
  if (/^post-[0-9a-f]{8}$/.test(slug)) return true;
  const made = kebab(title);
  if (made === '') return false;
  return [slug, slug.replace(/-\d+$/, '')].some(
    (base) => base === made || (made.length > generatedMaximum && base.length > generatedMaximum / 2 && made.startsWith(base)),
  );
}
