import { describe, expect, it } from 'vitest';
import type { BlogPostItem, BlogPostList, BlogPostStatus } from '@/server/features/blog/blog-post.schema';
import { listAfterMove, movesOf, moveTargets, overviewAfterMove, type PostMove, undoCallsOf } from './post-moves';

const published = '2026-11-02T09:30:00.000Z';
const now = '2026-11-21T12:00:00.000Z';

interface State {
  status: BlogPostStatus;
  publishedAt: string | null;
}

/** Every state a post can be in. */
const states: State[] = [
  { status: 'draft', publishedAt: null },
  { status: 'published', publishedAt: published },
  { status: 'archived', publishedAt: published },
  { status: 'archived', publishedAt: null },
];

/** The effect of a call on a post: the rules of the API. */
function after(state: State, move: PostMove): State {
  const status = moveTargets[move];
  if (status === state.status) return state;
  if (move === 'publish') return { status, publishedAt: state.publishedAt ?? now };
  return { status, publishedAt: move === 'unpublish' ? null : state.publishedAt };
}

describe.each(states)('a post that is $status, first published $publishedAt', (state) => {
  it('can be moved wherever it is not', () => {
    expect(movesOf(state).map((move) => moveTargets[move])).not.toContain(state.status);
    expect(movesOf(state)).toHaveLength(2);
  });

  it('comes back from every move that can be undone as it was, date included', () => {
    for (const move of movesOf(state)) {
      const back = undoCallsOf(state, move);
      if (back === null) continue;
      expect(back.reduce(after, after(state, move))).toEqual(state);
    }
  });

  it('is asked about before it loses its date, and only then', () => {
    const asked = movesOf(state).filter((move) => undoCallsOf(state, move) === null);
    expect(asked).toEqual(state.publishedAt === null ? [] : ['unpublish']);
  });
});

const post: BlogPostItem = {
  id: 'one',
  title: 'Wet brakes',
  slug: 'wet-brakes',
  excerpt: '',
  coverImageUrl: '',
  authorName: 'Mara',
  authorAvatarUrl: '',
  authorAgentId: null,
  status: 'published',
  publishedAt: published,
  tags: [],
  metaDescription: '',
  url: 'https://desk.example.com/blog/harbor-lane/wet-brakes',
  editedAt: published,
};

function listOf(...posts: BlogPostItem[]): BlogPostList {
  return { success: true, data: { posts, total: 40, totalIsExact: true, limit: 25, offset: 0, hasMore: true, nextCursor: null } };
}

describe('the list after a move', () => {
  const other = { ...post, id: 'two' };

  it('shows the new status, and no address that leads nowhere', () => {
    const { data } = listAfterMove(listOf(post, other), 'one', { status: 'archived', shown: undefined, now });
    expect(data.posts).toEqual([{ ...post, status: 'archived', editedAt: now, url: null }, other]);
    expect(data.total).toBe(40);
  });

  it('gives a post its first date, and takes it from a draft', () => {
    const draft = { ...post, status: 'draft' as const, publishedAt: null, url: null };
    const publishedAt = (from: BlogPostItem, status: BlogPostStatus) =>
      listAfterMove(listOf(from), 'one', { status, shown: undefined, now }).data.posts[0]?.publishedAt;
    expect([publishedAt(draft, 'published'), publishedAt(post, 'archived'), publishedAt(post, 'draft')]).toEqual([
      now,
      published,
      null,
    ]);
  });

  it('loses a post that has not the status it is narrowed to any more', () => {
    const { data } = listAfterMove(listOf(post, other), 'one', { status: 'archived', shown: 'published', now });
    expect(data.posts).toEqual([other]);
    expect(data.total).toBe(39);
  });

  it('stays as it is where the post is not on it', () => {
    const list = listOf(other);
    expect(listAfterMove(list, 'one', { status: 'archived', shown: 'published', now })).toBe(list);
  });
});

it('counts a post where it has gone', () => {
  const overview = { counts: { draft: 1, published: 2, archived: 0 }, tags: [], siteUrl: 'https://desk.example.com/blog/x' };
  expect(overviewAfterMove(overview, 'published', 'archived').counts).toEqual({ draft: 1, published: 1, archived: 1 });
  expect(overviewAfterMove(overview, 'draft', 'draft')).toBe(overview);
});
