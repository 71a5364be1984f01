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
  text: 'Yes, until four.\n',
  agentId: 'none',
  quote: false,
  attachments: [],
};

const scope = { userId: 'u', identityId: 'a' };

withBrowserStorage();

it('keeps a reply for its conversation', () => {
  writeDraft(replyDraftKey(scope, '1'), values);
  expect(loadDraft(replyDraftKey(scope, '1'))).toEqual(values);
  expect(loadDraft(replyDraftKey(scope, '2'))).toBeNull();
});

it('reads a reply of a version without Bcc, subject and attachments', () => {
  const { bcc: _, subject: __, attachments: ___, ...old } = values;
  writeDraft('key', old);
  expect(loadDraft('key')).toEqual(values);
});

it('reads nothing out of what it did not write', () => {
  for (const entry of ['', '{', 'null', '[]', '"text"', JSON.stringify({ ...values, to: 'ann@quark.example' })]) {
    window.localStorage.setItem('key', entry);
    expect(loadDraft('key')).toBeNull();
  }
});
