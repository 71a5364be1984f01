import type { DraftScope } from '@/app/_kit/draft-store';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { PostValues } from './post-values';
import type { NewPost } from './save-plan';

/** The calls an editor needs; each rejects with what tRPC throws. */
interface PostApi {
  create: (post: NewPost) => Promise<BlogPostRecord>;
  update: (postId: string, changes: Partial<PostValues>, ifRevision: number) => Promise<BlogPostRecord>;
  get: (postId: string) => Promise<BlogPostRecord>;
}

/** What a session is made of; see post-session.ts. */
export interface SessionOptions {
  /** Whose drafts what is typed is kept among. */
  scope: DraftScope;
  /** Null for a new one. */
  post: BlogPostRecord | null;
  /** What a new post begins with, such as its author. */
  initial?: Partial<PostValues>;
  /** Whether a post's address was made from its title, as far as can be told. */
  followsTitle: boolean;
  api: PostApi;
  /** Called with every state of the post that the server answered. */
  onStored: (post: BlogPostRecord) => void;
}
