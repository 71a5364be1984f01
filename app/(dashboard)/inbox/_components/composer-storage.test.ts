import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { writeDraft } from '@/app/_components/draft-store';
import { loadReply, replyDraftKey } from './composer-storage';
import type { ComposerValues } from './composer-values';

const values: ComposerValues = {
  from: 'desk@here.example',
  to: [{ email: 'ann@quark.example', displayName: 'Ann' }],
  cc: [],
  text: 'Yes, until four.\n',
  agentId: 'none',
  quote: false,
};

const scope = { userId: 'u', identityId: 'a' };

beforeEach(() => {
  const entries = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  vi.stubGlobal('window', { localStorage });
});
afterEach(() => void vi.unstubAllGlobals());

it('keeps drafts apart by account, business and conversation', () => {
  expect(writeDraft(replyDraftKey(scope, '1'), values)).toBe(true);
  expect(loadReply(replyDraftKey(scope, '1'))).toEqual(values);
  expect(loadReply(replyDraftKey(scope, '2'))).toBeNull();
  expect(loadReply(replyDraftKey({ ...scope, identityId: 'b' }, '1'))).toBeNull();
  expect(loadReply(replyDraftKey({ ...scope, userId: 'v' }, '1'))).toBeNull();
});

it('reads nothing out of what it did not write', () => {
  for (const entry of ['', '{', 'null', '[]', '"text"', JSON.stringify({ ...values, to: 'ann@quark.example' })]) {
    window.localStorage.setItem('key', entry);
    expect(loadReply('key')).toBeNull();
  }
});
