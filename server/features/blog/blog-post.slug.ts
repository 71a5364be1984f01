import { serialize } from '@/server/platform/db/serialize';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { isNumbered, slugOfId, slugOfTitle } from './slug';

/** The post that needs a slug. */
interface SlugOwner {
  identityId: string;
  postId: string;
  /** Its current title and slug; undefined for a post that is about to be created. */
  current?: { title: string; slug: string };
}

/** Numbers in the first query; further queries cover growing ranges, for titles that are used more often. */
const firstStep = 20;

/** The first of `base`, `base-2`, `base-3`… that no post has, and that no public post had before. */
async function firstFree(db: Queryable, { identityId, postId }: SlugOwner, base: string): Promise<string> {
  for (let from = 1, step = firstStep; ; from += step, step *= 2) {
    const [free] = await rows<{ slug: string }>(db, {
      name: 'blog-slug-free',
      text: `SELECT candidate.slug FROM (
          SELECT n, CASE WHEN n = 1 THEN $2::text ELSE $2::text || '-' || n END AS slug FROM generate_series($4::int, $5::int) n
        ) candidate
        WHERE NOT EXISTS (SELECT 1 FROM blog_posts p WHERE p.identity_id = $1 AND p.slug = candidate.slug AND p.id <> $3)
          AND NOT EXISTS (SELECT 1 FROM blog_post_former_addresses f
            WHERE f.identity_id = $1 AND f.slug = candidate.slug AND f.post_id <> $3)
        ORDER BY n LIMIT 1`,
      values: [identityId, base, postId, from, from + step - 1],
    });
    if (free) return free.slug;
  }
}

/**
 * A slug for a title. A concurrent transaction that needs the same slug waits for this one to end, so that both get unique
 * ones.
 */
export async function generateSlug(db: Queryable, owner: SlugOwner, title: string): Promise<string> {
  const base = slugOfTitle(title) ?? slugOfId(owner.postId);
  const { current } = owner;
  // A number at the end belongs to the slug only if both titles have the same base: "Top 10" is not "Top".
  const readsTheSame = current && slugOfTitle(current.title) === base;
  if (readsTheSame && isNumbered(current.slug, base)) return current.slug;
  return freeSlug(db, owner, base);
}

/** The slug itself or, if another post has it or had it when it was public, one with a number. */
export async function freeSlug(db: Queryable, owner: SlugOwner, base: string): Promise<string> {
  await serialize(db, 'blog-slugs', `${owner.identityId}:${base}`);
  return firstFree(db, owner, base);
}
