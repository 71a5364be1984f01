import { expect, it } from 'vitest';
import { removeDraft, writeDraft } from '@/app/_components/draft-store';
import { keptPostKey, lastAuthor, loadKeptPost, rememberAuthor, resumeKept } from './kept-post';
import { emptyPost } from './post-values';

const kept = { values: { ...emptyPost, title: 'Wet brakes' }, revision: 3, followsTitle: true };

const scopeOf = (identityId: string) => ({ userId: 'u', identityId });

function memoryStore() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

const forbidden = {
  getItem: () => {
    throw new DOMException('no', 'SecurityError');
  },
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError');
  },
  removeItem: () => {
    throw new DOMException('no', 'SecurityError');
  },
};

it('keeps posts apart by business and by post, and a new one of its own', () => {
  const store = memoryStore();
  expect(writeDraft(keptPostKey(scopeOf('a'), '1'), kept, store)).toBe(true);
  expect(loadKeptPost(keptPostKey(scopeOf('a'), '1'), store)).toEqual(kept);
  for (const key of [keptPostKey(scopeOf('a'), '2'), keptPostKey(scopeOf('b'), '1'), keptPostKey(scopeOf('a'), null)]) {
    expect(loadKeptPost(key, store)).toBeNull();
  }
  removeDraft(keptPostKey(scopeOf('a'), '1'), store);
  expect(loadKeptPost(keptPostKey(scopeOf('a'), '1'), store)).toBeNull();
});

it('reads nothing out of what it did not write', () => {
  const store = memoryStore();
  for (const entry of ['', '{', 'null', '[]', JSON.stringify({ ...kept, values: { title: 'T' } })]) {
    store.setItem('key', entry);
    expect(loadKeptPost('key', store)).toBeNull();
  }
});

it('does without a storage that is forbidden, full, or not there', () => {
  for (const store of [forbidden, null]) {
    expect(writeDraft('key', kept, store)).toBe(false);
    expect(loadKeptPost('key', store)).toBeNull();
    expect(() => removeDraft('key', store)).not.toThrow();
    expect(() => rememberAuthor('a', kept.values, store)).not.toThrow();
    expect(lastAuthor('a', store)).toBeNull();
  }
});

it('brings back only what the server does not have, and says when that was changed meanwhile', () => {
  expect(resumeKept(null, { values: emptyPost, revision: 3 })).toBeNull();
  expect(resumeKept(kept, { values: kept.values, revision: 4 })).toBeNull();
  expect(resumeKept(kept, { values: emptyPost, revision: 3 })?.isOutdated).toBe(false);
  expect(resumeKept(kept, { values: emptyPost, revision: 4 })?.isOutdated).toBe(true);
});

it('remembers who wrote the last post of a business', () => {
  const store = memoryStore();
  rememberAuthor('a', { authorName: 'Mara', authorAvatarUrl: '', authorAgentId: null }, store);
  expect(lastAuthor('a', store)?.authorName).toBe('Mara');
  expect(lastAuthor('b', store)).toBeNull();
});
