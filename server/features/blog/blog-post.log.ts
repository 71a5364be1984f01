import type pg from 'pg';
import { change, emit } from '@/server/features/events/emit.service';
import type { IdentityActor } from '@/server/platform/actor';
import { blogPostEvents } from './blog-post.events.schema';
import { type BlogPostRow, type LockedPost, toBlogPost } from './blog-post.queries';

export type PostEvent = keyof typeof blogPostEvents.types;

interface Logged {
  /** The post before a change; not of a creation or a deletion. */
  before?: LockedPost;
  /** Created under the id that it had before, whose versions go on. */
  isRestored?: boolean;
}

/** Writes the event of a change, of a creation or of a deletion. */
export async function logPost(
  client: pg.PoolClient,
  actor: IdentityActor,
  type: PostEvent,
  row: BlogPostRow,
  { before, isRestored }: Logged = {},
): Promise<void> {
  const previous = before && toBlogPost({ ...before, content: before.content ?? row.content });
  const isNew = isRestored ? { isNew: false } : {};
  await emit(client, actor, change({ kind: blogPostEvents, type, id: row.id, object: toBlogPost(row), previous, ...isNew }));
}
