import { beforeAll, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { changePost, publishPost, writePost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { addTestMember } from '@/server/testing/team';
import { getPostEditing, moveBlogPost } from './blog-post.service';

withFreshDatabase();

let identity: TestIdentity;

beforeAll(async () => {
  identity = await createTestIdentity();
});

const person = async (role: 'admin' | 'member' | 'viewer') => (await addTestMember(identity, role)).actor;

/** What the editor is told, after checking that saving does the same. */
async function mayEdit(actor: IdentityActor, postId: string): Promise<boolean> {
  const { isEditable } = await getPostEditing(actor, postId);
  const code = await changePost(actor, postId, { excerpt: 'Changed' }).then(
    () => null,
    (error: { code: string }) => error.code,
  );
  expect(code).toBe(isEditable ? null : 'insufficient_role');
  return isEditable;
}

test('a member changes their own drafts only', async () => {
  const [author, colleague, admin] = [await person('member'), await person('member'), await person('admin')];
  const draft = await writePost(author);
  expect([await mayEdit(author, draft.id), await mayEdit(colleague, draft.id), await mayEdit(admin, draft.id)]).toEqual([
    true,
    false,
    true,
  ]);
  await moveBlogPost(admin, draft.id, 'published');
  expect(await mayEdit(author, draft.id)).toBe(false);
  // Readers may have seen it.
  await moveBlogPost(admin, draft.id, 'draft');
  expect(await mayEdit(author, draft.id)).toBe(false);
});

test('a viewer changes nothing, an owner everything', async () => {
  const viewer = await person('viewer');
  const post = await publishPost(identity.actor);
  expect((await getPostEditing(viewer, post.id)).isEditable).toBe(false);
  expect(await mayEdit(identity.actor, post.id)).toBe(true);
});

test('a post of another business is not found', async () => {
  const stranger = await createTestIdentity();
  const { id } = await writePost(identity.actor);
  await expect(getPostEditing(stranger.actor, id)).rejects.toMatchObject({ code: 'not_found' });
});
