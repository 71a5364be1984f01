import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { uploadBlogImage } from '@/server/features/blog/blog-image.service';
import { createBlogPostInput } from '@/server/features/blog/blog-post.schema';
import { createBlogPost, moveBlogPost } from '@/server/features/blog/blog-post.service';
import type { SystemActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';

/** The blog of Harbor Lane Bicycles. The texts are in prisma/demo/posts and the covers in prisma/demo/covers, one file each. */
interface DemoPost {
  file: string;
  title: string;
  excerpt?: string;
  metaDescription?: string;
  author: { name: string; roleId?: string };
  tags: string[];
  cover?: string;
  /** Since when it is as it is. */
  daysAgo: number;
  status?: 'draft' | 'archived';
}

const mara = { name: 'Mara Lindqvist' };
const ilse = { name: 'Ilse Brandt' };

const demoPosts: readonly DemoPost[] = [
  {
    file: 'wet-brakes.md',
    title: 'Wet brakes, and what to do about them',
    excerpt: 'Half an hour, a cloth and some sandpaper give you back most of what the rain has taken.',
    metaDescription: 'How to clean, check and set bicycle brakes for the rain, with stopping distances we measured ourselves.',
    author: ilse,
    tags: ['workshop', 'winter', 'brakes'],
    cover: 'brakes',
    daysAgo: 2,
  },
  {
    file: 'winter-list.md',
    title: 'Ten things before the salt comes',
    author: mara,
    tags: ['winter', 'workshop'],
    daysAgo: 8,
  },
  {
    file: 'fleet-in-numbers.md',
    title: 'What 412 company bikes taught us this year',
    excerpt: 'Tubes, brakes, one kerb in Dock Street: our fleets in numbers, and how we count.',
    author: { name: 'Fleet advisor', roleId: 'fleet-advisor' },
    tags: ['fleets', 'numbers'],
    cover: 'fleet',
    daysAgo: 17,
  },
  {
    file: 'cargo-bike-questions.md',
    title: 'Seven questions about cargo bikes',
    excerpt: 'Two wheels or three, how far, how much, and where to put it.',
    author: mara,
    tags: ['cargo bikes', 'buying'],
    cover: 'cargo',
    daysAgo: 31,
  },
  { file: 'early-opening.md', title: 'We open half an hour earlier', author: mara, tags: ['news'], daysAgo: 40 },
  {
    file: 'commuting-by-ferry.md',
    title: 'To work by ferry, with a bicycle',
    excerpt: 'Twenty mornings on line 62: what it saves, and what salt water does to a chain.',
    author: { name: 'Jonas Weidner' },
    tags: ['commuting', 'harbour'],
    cover: 'harbour',
    daysAgo: 63,
  },
  {
    file: 'small-parts.md',
    title: '288 drawers',
    author: ilse,
    tags: ['workshop', 'repair'],
    cover: 'drawers',
    daysAgo: 96,
  },
  {
    file: 'night-ride.md',
    title: 'Forty lights around the harbour',
    author: mara,
    tags: ['rides', 'harbour'],
    cover: 'night',
    daysAgo: 130,
  },
  {
    file: 'draft-e-bike-batteries.md',
    title: 'When a battery gets old',
    author: ilse,
    tags: ['e-bikes'],
    daysAgo: 1,
    status: 'draft',
  },
  {
    file: 'draft-spring-courses.md',
    title: 'Repair courses in spring',
    author: mara,
    tags: ['news'],
    daysAgo: 5,
    status: 'draft',
  },
  { file: 'archived-summer-sale.md', title: 'Summer sale', author: mara, tags: ['news'], daysAgo: 88, status: 'archived' },
];

async function agentOf(identityId: string, roleId: string | undefined): Promise<string | null> {
  if (roleId === undefined) return null;
  const [agent] = await rows<{ id: string }>(pool(), {
    text: 'SELECT id FROM agents WHERE identity_id = $1 AND role_id = $2',
    values: [identityId, roleId],
  });
  return agent?.id ?? null;
}

async function seedPost(actor: SystemActor, post: DemoPost): Promise<void> {
  const picture = post.cover && (await readFile(path.resolve('prisma/demo/covers', `${post.cover}.png`), 'base64'));
  const cover = picture && (await uploadBlogImage(actor, { content: picture }));
  const input = createBlogPostInput.parse({
    title: post.title,
    content: await readFile(path.resolve('prisma/demo/posts', post.file), 'utf8'),
    authorName: post.author.name,
    authorAgentId: await agentOf(actor.identityId, post.author.roleId),
    tags: post.tags,
    ...(post.excerpt ? { excerpt: post.excerpt } : {}),
    ...(post.metaDescription ? { metaDescription: post.metaDescription } : {}),
    ...(cover ? { coverImageUrl: cover.data.image.url } : {}),
  });
  const { id } = (await createBlogPost(actor, input)).data.post;
  if (post.status !== 'draft') await moveBlogPost(actor, id, 'published');
  if (post.status === 'archived') await moveBlogPost(actor, id, 'archived');
  // The services stamp everything with the present.
  await pool().query(
    `UPDATE blog_posts SET created_at = now() - ($2::float8 + 2) * interval '1 day', updated_at = now() - $2::float8 * interval '1 day',
      published_at = published_at - $2::float8 * interval '1 day' WHERE id = $1`,
    [id, post.daysAgo],
  );
}

/** Writes the posts that are not there yet. */
export async function seedBlog(actor: SystemActor): Promise<void> {
  const existing = await rows<{ title: string }>(pool(), {
    text: 'SELECT title FROM blog_posts WHERE identity_id = $1',
    values: [actor.identityId],
  });
  const titles = new Set(existing.map(({ title }) => title));
  for (const post of demoPosts) if (!titles.has(post.title)) await seedPost(actor, post);
}
