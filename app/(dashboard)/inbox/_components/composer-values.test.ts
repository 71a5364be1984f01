import { expect, it } from 'vitest';
import type { ReplyDraft } from '@/server/features/conversations/composer.schema';
import { saveDraftInput } from '@/server/features/conversations/draft.schema';
import { newConversationInput, replyInput } from '@/server/features/conversations/message.schema';
import { fieldErrorsOf } from '@/server/platform/fields.schema';
import {
  composerPath,
  forwardSchema,
  fromDraft,
  isSameEmail,
  newEmailSchema,
  newEmailValues,
  noAgent,
  replySchema,
  replyValues,
  resumedValues,
  toDraft,
  toNewEmail,
  toReply,
} from './composer-values';

const agentId = '0199f3b2-6c1e-7a40-8000-000000000001';
const conversationId = '0199f3b2-6c1e-7a40-8000-000000000002';
const draft: ReplyDraft = {
  subject: 'Re: Hello',
  to: [{ email: 'ann@quark.example', displayName: 'Ann' }],
  cc: [],
  senders: [
    { email: 'sales@here.example', displayName: null, reason: 'contextual', canSend: true },
    { email: 'desk@here.example', displayName: null, reason: 'identity', canSend: true },
  ],
  agents: [{ id: agentId, name: 'Robin', avatarEmoji: '', avatarUrl: '', signature: 'Robin' }],
  agentId,
  undoSeconds: 10,
  emailFormat: 'markdown',
  signature: '',
  draft: null,
};

const errorsOf = (values: object, schema: typeof replySchema | typeof newEmailSchema = replySchema) => {
  const { error } = schema.safeParse({ ...replyValues(draft), text: 'Yes', ...values });
  return error ? fieldErrorsOf(error) : {};
};

it('begins with the first sender, the agent they wrote to, and their message below', () => {
  expect(replyValues(draft)).toMatchObject({ from: 'sales@here.example', to: draft.to, cc: [], text: '', agentId, quote: true });
  expect(replyValues({ ...draft, agentId: null, senders: [] })).toMatchObject({ from: '', agentId: noAgent });
});

it('is written as the author prefers, and is no draft while only that is changed', () => {
  const initial = replyValues(draft);
  expect(initial.format).toBe('markdown');
  expect(isSameEmail(initial, { ...initial, format: 'plain' })).toBe(true);
});

it('resumes what was kept, but not with a sender or an agent that is gone', () => {
  const initial = replyValues(draft);
  const kept = { ...initial, from: 'desk@here.example', to: [], cc: draft.to, text: 'Yes', agentId: noAgent, quote: false };
  expect(resumedValues(kept, initial, draft)).toEqual(kept);
  expect(resumedValues({ ...kept, from: 'old@here.example', agentId: conversationId }, initial, draft)).toEqual({
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
  expect(errorsOf({ to: [], bcc: draft.to })).toEqual({});
  expect(errorsOf({ to: [...draft.to, { email: 'bob', displayName: null }] })).toEqual({
    'to.1.email': 'must be an e-mail address',
  });
});

it('always says whom it writes to, in the form the API takes', () => {
  const answering = { conversationId, seenUntil: '2026-11-21T09:30:00.000Z', evenIfAnswered: false };
  const reply = toReply(answering, { ...replyValues(draft), text: 'Yes', agentId: noAgent });
  expect(reply).toMatchObject({ to: draft.to, cc: [], agentId: null });
  expect(replyInput.safeParse(reply).success).toBe(true);
});

it('refuses a new email without a recipient or a subject', () => {
  expect(errorsOf({ subject: 'Hello' }, newEmailSchema)).toEqual({});
  expect(errorsOf({ subject: ' ', to: [], cc: draft.to }, newEmailSchema)).toEqual({
    subject: 'Add a subject.',
    to: 'Add a recipient.',
  });
});

it('forwards a message with its subject and attachments, with or without a text', () => {
  const attachments = [{ id: conversationId, filename: 'plan.pdf', contentType: 'application/pdf', size: 9 }];
  const forwarded = { subject: 'Fwd: The plan', quotation: 'Plan', attachments };
  const values = newEmailValues({ ...draft, forwarded }, { to: draft.to, forwardMessageId: agentId });
  expect(values).toMatchObject({ subject: 'Fwd: The plan', attachments, text: '', to: draft.to });
  expect(forwardSchema.safeParse(values).success).toBe(true);
  expect(newConversationInput.safeParse(toNewEmail(values)).success).toBe(true);
  expect(newConversationInput.safeParse(toNewEmail({ ...values, forwardMessageId: null })).success).toBe(false);
});

it('sends a new email in the form the API takes, with the ids of its files', () => {
  const attachments = [{ id: conversationId, filename: 'offer.pdf', contentType: 'application/pdf', size: 9 }];
  const values = {
    ...newEmailValues({ ...draft, forwarded: null }),
    to: draft.to,
    bcc: draft.to,
    subject: 'Hello',
    text: 'Yes',
    attachments,
  };
  const input = toNewEmail(values);
  expect(newConversationInput.parse(input)).toEqual(input);
  expect(input).toMatchObject({ from: 'sales@here.example', bcc: draft.to, agentId: null, attachmentIds: [conversationId] });
  expect(composerPath('attachmentIds.0')).toBe('attachments.0');
});

it('keeps an email on the server as it is written', () => {
  const attachments = [{ id: conversationId, filename: 'plan.pdf', contentType: 'application/pdf', size: 9, sha256: 'a' }];
  const to = [{ email: 'not yet', displayName: null }];
  const values = { ...replyValues(draft), to, text: 'Yes', attachments, from: '' };
  const input = saveDraftInput.parse({ draftId: agentId, ...toDraft(values) });
  const stored = { ...input, attachments, id: agentId, identityId: agentId, revision: 2, createdAt: '', updatedAt: '' };
  const back = fromDraft(stored);
  expect(back).toMatchObject({ id: agentId, revision: 2 });
  expect(isSameEmail(back.values, values)).toBe(true);
  expect(isSameEmail(back.values, { ...values, attachments: [] })).toBe(false);
  expect(isSameEmail(back.values, { ...values, format: 'plain' })).toBe(false);
  expect(isSameEmail(back.values, { ...values, to: draft.to })).toBe(false);
});
