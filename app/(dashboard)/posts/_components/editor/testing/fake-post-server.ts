import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { withBrowserStorage } from '@/app/_kit/testing/memory-storage';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { loadPostDraft, postDraftKey } from '../post-draft';
import { loadPostChecks } from '../post-save';
import { PostSession } from '../post-session';
import { emptyPost } from '../post-values';

/** For tests: one post behind the calls of an editor, with the server's revision rules. */

export const stored: BlogPostRecord = {
  ...emptyPost,
  id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  title: 'Wet brakes',
  slug: 'wet-brakes',
  content: 'Clean the rims.',
  authorName: 'Mara',
  status: 'draft',
  publishedAt: null,
  url: null,
  revision: 3,
  createdAt: '2026-11-01T16:02:11.000Z',
  updatedAt: '2026-11-01T16:02:11.000Z',
};

/** The error that tRPC throws for an error of ours. */
export const refusal = (code: string, details: object = {}) => Object.assign(new Error(code), { data: { code, details } });
/** The error that tRPC throws without a connection. */
export const unreachable = () => new TypeError('Failed to fetch');

/** A server with one post, which responds like the real one. */
function serverWith(first: BlogPostRecord | null) {
  const server = {
    post: first,
    fail: [] as (() => Error)[],
    calls: [] as object[],
    /** An edit by another user. */
    edit(changes: Partial<BlogPostRecord>) {
      if (server.post) server.post = { ...server.post, ...changes, revision: server.post.revision + 1 };
    },
  };
  const answer = async (write: () => BlogPostRecord) => {
    const failure = server.fail.shift();
    if (failure) throw failure();
    return write();
  };
  const api = {
    create: (post: object) =>
      answer(() => {
        server.calls.push(post);
        server.post = { ...stored, ...post, slug: 'made-by-server', revision: 1 };
        return server.post;
      }),
    update: (_id: string, changes: object, revision: number) =>
      answer(() => {
        server.calls.push(changes);
        if (!server.post) throw refusal('not_found');
        if (server.post.revision !== revision) throw refusal('precondition_failed');
        server.edit(changes);
        return server.post;
      }),
    get: () =>
      answer(() => {
        if (!server.post) throw refusal('not_found');
        return server.post;
      }),
  };
  return { server, api };
}

export const scope = { userId: 'u', identityId: 'i' };

/** A session for a post on its own server, started like the editor does. */
export function openSession(post: BlogPostRecord | null, followsTitle = false) {
  const { server, api } = serverWith(post);
  const initial = { authorName: 'Harbor Lane' };
  const session = new PostSession({ scope, post, initial, followsTitle, api, onStored: () => {} });
  session.start();
  return { server, session };
}

/** The stored draft of a post. */
export const draftOf = (postId: string | null = stored.id) => loadPostDraft(postDraftKey(scope, postId));

/** Gives each test of the calling file a fake clock and a browser's storage. */
export function withClockAndStorage(): void {
  withBrowserStorage();
  // Loaded with the first save; a fake clock can't wait for that.
  beforeAll(loadPostChecks);
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
}
