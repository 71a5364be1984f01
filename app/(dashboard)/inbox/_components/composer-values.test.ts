import { expect, it } from 'vitest';
import type { ReplyDraft } from '@/server/features/conversations/conversation.schema';
import { replyInput } from '@/server/features/conversations/message.schema';
import { fieldErrorsOf } from '@/server/platform/fields.schema';
import { composerSchema, initialValues, noAgent, resumedValues, toReply } from './composer-values';

const agentId = '0199f3b2-6c1e-7a40-8000-000000000001';
const conversationId = '0199f3b2-6c1e-7a40-8000-000000000002';
const draft: ReplyDraft = {
  subject: 'Re: Hello',
  to: [{ email: 'ann@quark.example', displayName: 'Ann' }],
  cc: [],
  senders: [
    { email: 'sales@here.example', displayName: null, reason: 'contextual' },
    { email: 'desk@here.example', displayName: null, reason: 'identity' },
  ],
  agents: [{ id: agentId, name: 'Robin', avatarEmoji: '', avatarUrl: '', signature: 'Robin' }],
  agentId,
  canSend: true,
};

const errorsOf = (values: object) => {
  const { error } = composerSchema.safeParse({ ...initialValues(draft), text: 'Yes', ...values });
  return error ? fieldErrorsOf(error) : {};
};

it('begins with the first sender, the agent they wrote to, and their message below', () => {
  expect(initialValues(draft)).toEqual({ from: 'sales@here.example', to: draft.to, cc: [], text: '', agentId, quote: true });
  expect(initialValues({ ...draft, agentId: null, senders: [] })).toMatchObject({ from: '', agentId: noAgent });
});

it('resumes what was kept, but not with a sender or an agent that is gone', () => {
  const kept = { from: 'desk@here.example', to: [], cc: draft.to, text: 'Yes', agentId: noAgent, quote: false };
  expect(resumedValues(kept, draft)).toEqual(kept);
  expect(resumedValues({ ...kept, from: 'old@here.example', agentId: conversationId }, draft)).toEqual({
    ...kept,
    from: 'sales@here.example',
    agentId,
  });
});

it('refuses a reply without words or without anybody, and names each address that is none', () => {
  expect(errorsOf({})).toEqual({});
  expect(errorsOf({ text: ' \n' })).toEqual({ text: 'must not be empty' });
  expect(errorsOf({ to: [] })).toEqual({ to: 'Add a recipient.' });
  expect(errorsOf({ to: [], cc: draft.to })).toEqual({});
  expect(errorsOf({ to: [...draft.to, { email: 'bob', displayName: null }] })).toEqual({
    'to.1.email': 'must be an e-mail address',
  });
});

it('always says whom it writes to, in the form the API takes', () => {
  const answering = { conversationId, seenUntil: '2026-11-21T09:30:00.000Z', evenIfAnswered: false };
  const reply = toReply(answering, { ...initialValues(draft), text: 'Yes', agentId: noAgent });
  expect(reply).toMatchObject({ to: draft.to, cc: [], agentId: null });
  expect(replyInput.safeParse(reply).success).toBe(true);
});
