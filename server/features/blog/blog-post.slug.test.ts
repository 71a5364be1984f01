import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { changePost, publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { moveBlogPost } from './blog-post.service';
import { deleteBlogPost } from './blog-post-deletion.service';
import { getPublicPost } from './public-blog.service';

/** Contract section 7, "Slug". */

withFreshDatabase();

const taken = { status: 409, code: 'slug_taken', details: { fields: { slug: 'is taken' } } };

describe('a generated slug', () => {
  test('gets a number where it is taken', async () => {
    const { actor } = await createTestIdentity();
    const slugs = [];
    for (let index = 0; index < 4; index++) slugs.push((await writePost(actor, { title: 'Hello, World' })).slug);
    expect(slugs).toEqual(['hello-world', 'hello-world-2', 'hello-world-3', 'hello-world-4']);
  });

  test('is one’s own where many are made at once', async () => {
    const { actor } = await createTestIdentity();
    const posts = await Promise.all(Array.from({ length: 30 }, () => writePost(actor, { title: 'Same' })));
    const expected = ['same', ...Array.from({ length: 29 }, (_, index) => `same-${index + 2}`)];
    expect(posts.map(({ slug }) => slug).sort()).toEqual(expected.sort());
  });

  test('fills the first gap', async () => {
    const { actor } = await createTestIdentity();
    const [, second] = [await writePost(actor), await writePost(actor), await writePost(actor)];
    await deleteBlogPost(actor, second?.id ?? '');
    expect((await writePost(actor)).slug).toBe('wet-brakes-2');
  });

  test('is found beyond the numbers that are tried first', async () => {
    const { actor, identityId } = await createTestIdentity();
    await writePost(actor, { title: 'Often' });
    await pool().query(
      `INSERT INTO blog_posts (id, identity_id, title, slug, content, author_name)
        SELECT gen_random_uuid(), $1, 'Often', 'often-' || n, 'x', 'A' FROM generate_series(2, 150) n`,
      [identityId],
    );
    expect((await writePost(actor, { title: 'Often' })).slug).toBe('often-151');
  });

  test('comes from the id where the title has no letters', async () => {
    const { actor } = await createTestIdentity();
    const post = await writePost(actor, { title: '🎉 !!!' });
    expect(post.slug).toBe(`post-${post.id.slice(-8)}`);
  });

  test('is the same in another identity', async () => {
    const [one, other] = [await createTestIdentity(), await createTestIdentity()];
    expect((await writePost(one.actor)).slug).toBe((await writePost(other.actor)).slug);
  });
});

describe('an explicit slug', () => {
  test('is kept', async () => {
    const { actor } = await createTestIdentity();
    expect((await writePost(actor, { slug: 'mine-1' })).slug).toBe('mine-1');
  });

  test('that is taken is refused and changes nothing', async () => {
    const { actor } = await createTestIdentity();
    await writePost(actor, { slug: 'mine' });
    const other = await writePost(actor, { slug: 'other' });
    await expect(writePost(actor, { slug: 'mine' })).rejects.toMatchObject(taken);
    await expect(changePost(actor, other.id, { slug: 'mine', title: 'Changed' })).rejects.toMatchObject(taken);
    expect(await changePost(actor, other.id, {})).toEqual(other);
  });

  test.each(['', 'Upper', 'two words', 'a--b', '-a', 'a-', 'ä', 'a_b', 'a/b', 'a.b', `x${'-x'.repeat(100)}`])(
    'such as %j is refused',
    async (slug) => {
      const { actor } = await createTestIdentity();
      await expect(writePost(actor, { slug })).rejects.toThrow();
      const { id } = await writePost(actor);
      await expect(changePost(actor, id, { slug })).rejects.toThrow();
    },
  );

  test('of many posts at once goes to one', async () => {
    const { actor } = await createTestIdentity();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => writePost(actor, { slug: 'wanted' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(taken);
  });
});

describe('a new title', () => {
  test('makes a new slug', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await writePost(actor);
    expect((await changePost(actor, id, { title: 'Dry brakes' })).slug).toBe('dry-brakes');
  });

  test('that is the one it has keeps the slug', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await writePost(actor, { slug: 'my-own' });
    expect((await changePost(actor, id, { title: 'Wet brakes' })).slug).toBe('my-own');
  });

  test('with a slug takes the slug', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await writePost(actor);
    expect(await changePost(actor, id, { title: 'Dry brakes', slug: 'chosen' })).toMatchObject({
      title: 'Dry brakes',
      slug: 'chosen',
    });
  });

  test('that reads the same in an address keeps the slug, with its number', async () => {
    const { actor } = await createTestIdentity();
    await writePost(actor);
    const { id } = await writePost(actor);
    expect((await changePost(actor, id, { title: 'Wet brakes!' })).slug).toBe('wet-brakes-2');
  });

  test('never takes a number of the old title for one that made it unique', async () => {
    const { actor } = await createTestIdentity();
    const { id } = await writePost(actor, { title: 'Top 10' });
    expect((await changePost(actor, id, { title: 'Top' })).slug).toBe('top');
  });

  test('that is taken gets a number', async () => {
    const { actor } = await createTestIdentity();
    await writePost(actor, { title: 'Dry brakes' });
    const { id } = await writePost(actor);
    expect((await changePost(actor, id, { title: 'Dry brakes' })).slug).toBe('dry-brakes-2');
  });
});

describe('an address that the public knew', () => {
  test('leads to where the post is now, through any number of moves', async () => {
    const { actor, identityId } = await createTestIdentity();
    const { id } = await publishPost(actor, { slug: 'one' });
    await changePost(actor, id, { slug: 'two' });
    await changePost(actor, id, { slug: 'three' });
    for (const slug of ['one', 'two']) expect(await getPublicPost(identityId, slug)).toEqual({ kind: 'moved', slug: 'three' });
  });

  test('is the post’s again when it comes back', async () => {
    const { actor, identityId } = await createTestIdentity();
    const { id } = await publishPost(actor, { slug: 'one' });
    await changePost(actor, id, { slug: 'two' });
    await changePost(actor, id, { slug: 'one' });
    expect(await getPublicPost(identityId, 'one')).toMatchObject({ kind: 'post', post: { id } });
    expect(await getPublicPost(identityId, 'two')).toEqual({ kind: 'moved', slug: 'one' });
  });

  test('goes to a draft that asks for it only once that is published', async () => {
    const { actor, identityId } = await createTestIdentity();
    const { id } = await publishPost(actor, { slug: 'one' });
    await changePost(actor, id, { slug: 'two' });
    const draft = await writePost(actor, { title: 'Other', slug: 'one' });
    expect(await getPublicPost(identityId, 'one')).toEqual({ kind: 'moved', slug: 'two' });
    await moveBlogPost(actor, draft.id, 'published');
    expect(await getPublicPost(identityId, 'one')).toMatchObject({ kind: 'post', post: { id: draft.id } });
    await moveBlogPost(actor, draft.id, 'draft');
    expect(await getPublicPost(identityId, 'one')).toEqual({ kind: 'unknown' });
  });

  test('survives that it is deleted and claimed at once', async () => {
    const { actor, identityId } = await createTestIdentity();
    for (let round = 0; round < 10; round++) {
      const [one, other] = [
        await publishPost(actor, { slug: `one-${round}` }),
        await publishPost(actor, { slug: `other-${round}` }),
      ];
      await changePost(actor, one.id, { slug: `moved-${round}` });
      await Promise.all([deleteBlogPost(actor, one.id), changePost(actor, other.id, { slug: `one-${round}` })]);
      expect(await getPublicPost(identityId, `one-${round}`)).toMatchObject({ kind: 'post', post: { id: other.id } });
    }
  });

  test('is not given to another post unasked, but to one that asks', async () => {
    const { actor, identityId } = await createTestIdentity();
    const { id } = await publishPost(actor, { title: 'One' });
    await changePost(actor, id, { slug: 'two' });
    expect((await writePost(actor, { title: 'One' })).slug).toBe('one-2');
    const explicit = await publishPost(actor, { title: 'Other', slug: 'one' });
    expect(await getPublicPost(identityId, 'one')).toMatchObject({ kind: 'post', post: { id: explicit.id } });
  });

  test('of a draft that never was public is forgotten', async () => {
    const { actor, identityId } = await createTestIdentity();
    const { id } = await writePost(actor, { slug: 'one' });
    await changePost(actor, id, { slug: 'two' });
    expect(await getPublicPost(identityId, 'one')).toEqual({ kind: 'unknown' });
    expect((await writePost(actor, { title: 'One' })).slug).toBe('one');
  });

  test('goes with the post', async () => {
    const { actor, identityId } = await createTestIdentity();
    const { id } = await publishPost(actor, { slug: 'one' });
    await changePost(actor, id, { slug: 'two' });
    await deleteBlogPost(actor, id);
    for (const slug of ['one', 'two']) expect(await getPublicPost(identityId, slug)).toEqual({ kind: 'unknown' });
  });
});
