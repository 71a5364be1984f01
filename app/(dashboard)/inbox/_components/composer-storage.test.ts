import { expect, it } from 'vitest';
import { draftKey, loadDraft, removeDraft, saveDraft } from './composer-storage';
import type { ComposerValues } from './composer-values';

const values: ComposerValues = {
  from: 'desk@here.example',
  to: [{ email: 'ann@quark.example', displayName: 'Ann' }],
  cc: [],
  text: 'Yes, until four.\n',
  agentId: 'none',
  quote: false,
};

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

it('keeps drafts apart by business and by conversation', () => {
  const store = memoryStore();
  expect(saveDraft(draftKey('a', '1'), values, store)).toBe(true);
  expect(loadDraft(draftKey('a', '1'), store)).toEqual(values);
  expect(loadDraft(draftKey('a', '2'), store)).toBeNull();
  expect(loadDraft(draftKey('b', '1'), store)).toBeNull();
  removeDraft(draftKey('a', '1'), store);
  expect(loadDraft(draftKey('a', '1'), store)).toBeNull();
});

it('reads nothing out of what it did not write', () => {
  const store = memoryStore();
  for (const entry of ['', '{', 'null', '[]', '"text"', JSON.stringify({ ...values, to: 'ann@quark.example' })]) {
    store.setItem('key', entry);
    expect(loadDraft('key', store)).toBeNull();
  }
});

it('does without a storage that is forbidden, full, or not there', () => {
  for (const store of [forbidden, null]) {
    expect(saveDraft('key', values, store)).toBe(false);
    expect(loadDraft('key', store)).toBeNull();
    expect(() => removeDraft('key', store)).not.toThrow();
  }
});
