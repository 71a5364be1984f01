import { expect, it } from 'vitest';
import { writeDraft } from '@/app/_kit/draft-store';
import { withBrowserStorage } from '@/app/_kit/testing/memory-storage';
import type { ComposerValues } from './composer-values';
import { loadDraft, replyDraftKey } from './use-composer-draft';

const values: ComposerValues = {
  from: 'desk@here.example',
  to: [{ email: 'ann@quark.example', displayName: 'Ann' }],
  cc: [],
  bcc: [],
  subject: '',
  format: 'plain',
  text: 'Yes, until four.\n',
  agentId: 'none',
  quote: false,
  attachments: [],
  forwardMessageId: null,
};

const scope = { userId: 'u', identityId: 'a' };

withBrowserStorage();

it('keeps a reply for its conversation', () => {
  const kept = { id: '0199f3b2-6c1e-7a40-8000-000000000001', revision: 3, values };
  writeDraft(replyDraftKey(scope, '1'), kept);
  expect(loadDraft(replyDraftKey(scope, '1'))).toEqual(kept);
  expect(loadDraft(replyDraftKey(scope, '2'))).toBeNull();
});

it('reads a reply of a version without Bcc, subject and attachments', () => {
  const { bcc: _, subject: __, attachments: ___, forwardMessageId: ____, ...old } = values;
  writeDraft('key', old);
  expect(loadDraft('key')).toEqual({ id: expect.any(String), revision: null, values });
});

it('reads nothing out of what it did not write', () => {
  for (const entry of ['', '{', 'null', '[]', '"text"', JSON.stringify({ id: '1', values })]) {
    window.localStorage.setItem('key', entry);
    expect(loadDraft('key')).toBeNull();
  }
});
