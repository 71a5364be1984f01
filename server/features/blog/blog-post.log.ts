import type pg from 'pg';
import { change, emit } from '@/server/features/events/emit.service';
import type { IdentityActor } from '@/server/platform/actor';
import { blogPostEvents } from './blog-post.events.schema';
import { type BlogPostRow, type LockedPost, toBlogPost } from './blog-post.queries';

export type PostEvent = keyof typeof blogPostEvents.types;

/** Writes the event of a change, of a creation or of a deletion; the latter two have no `before`. */
export async function logPost(
  client: pg.PoolClient,
  actor: IdentityActor,
  type: PostEvent,
  row: BlogPostRow,
  before?: LockedPost,
): Promise<void> {
  const previous = before && toBlogPost({ ...before, content: before.content ?? row.content });
  await emit(client, actor, change({ kind: blogPostEvents, type, id: row.id, object: toBlogPost(row), previous }));
}
