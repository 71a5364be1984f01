import { expect, it } from 'vitest';
import { writeDraft } from '@/app/_kit/draft-store';
import { withBrowserStorage } from '@/app/_kit/testing/memory-storage';
import type { ComposerValues } from './composer-values';
import { loadReply, replyDraftKey } from './use-reply-draft';

const values: ComposerValues = {
  from: 'desk@here.example',
  to: [{ email: 'ann@quark.example', displayName: 'Ann' }],
  cc: [],
  text: 'Yes, until four.\n',
  agentId: 'none',
  quote: false,
};

const scope = { userId: 'u', identityId: 'a' };

withBrowserStorage();

it('keeps a reply for its conversation', () => {
  writeDraft(replyDraftKey(scope, '1'), values);
  expect(loadReply(replyDraftKey(scope, '1'))).toEqual(values);
  expect(loadReply(replyDraftKey(scope, '2'))).toBeNull();
});

it('reads nothing out of what it did not write', () => {
  for (const entry of ['', '{', 'null', '[]', '"text"', JSON.stringify({ ...values, to: 'ann@quark.example' })]) {
    window.localStorage.setItem('key', entry);
    expect(loadReply('key')).toBeNull();
  }
});
