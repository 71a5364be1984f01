import { expect, it } from 'vitest';
import { writeDraft } from '@/app/_kit/draft-store';
import { forbiddenStorage, withBrowserStorage } from '@/app/_kit/memory-storage';
import { keptPostKey, lastAuthor, loadKeptPost, rememberAuthor, resumeKept } from './kept-post';
import { emptyPost } from './post-values';

const kept = { values: { ...emptyPost, title: 'Wet brakes' }, revision: 3, followsTitle: true };

const scope = { userId: 'u', identityId: 'a' };

withBrowserStorage();

it('keeps a post for itself, and a new one apart from all others', () => {
  writeDraft(keptPostKey(scope, '1'), kept);
  expect(loadKeptPost(keptPostKey(scope, '1'))).toEqual(kept);
  for (const postId of ['2', null]) expect(loadKeptPost(keptPostKey(scope, postId))).toBeNull();
});

it('reads nothing out of what it did not write', () => {
  for (const entry of ['', '{', 'null', '[]', JSON.stringify({ ...kept, values: { title: 'T' } })]) {
    window.localStorage.setItem('key', entry);
    expect(loadKeptPost('key')).toBeNull();
  }
});

it('brings back only what the server does not have, and says when that was changed meanwhile', () => {
  expect(resumeKept(null, { values: emptyPost, revision: 3 })).toBeNull();
  expect(resumeKept(kept, { values: kept.values, revision: 4 })).toBeNull();
  expect(resumeKept(kept, { values: emptyPost, revision: 3 })?.isOutdated).toBe(false);
  expect(resumeKept(kept, { values: emptyPost, revision: 4 })?.isOutdated).toBe(true);
});

it('remembers who wrote the last post of a business, where anything can be kept', () => {
  rememberAuthor('a', { authorName: 'Mara', authorAvatarUrl: '', authorAgentId: null });
  expect(lastAuthor('a')?.authorName).toBe('Mara');
  expect(lastAuthor('b')).toBeNull();
  for (const store of [forbiddenStorage, null]) {
    expect(() => rememberAuthor('a', kept.values, store)).not.toThrow();
    expect(lastAuthor('a', store)).toBeNull();
  }
});
