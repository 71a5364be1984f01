import { expect, it } from 'vitest';
import { consequence, nameHint, replyPrompt, senderHint } from './composer-labels';

const person = (displayName: string | null, email = 'ann@quark.example') => ({ email, displayName });

it('names the first two it answers', () => {
  expect(replyPrompt([])).toBe('Reply');
  expect(replyPrompt([person('Ann')])).toBe('Reply to Ann');
  expect(replyPrompt([person('Ann'), person(null, 'bob@quark.example')])).toBe('Reply to Ann, bob@quark.example');
  expect(replyPrompt([person('Ann'), person('Bob'), person('Cy')])).toBe('Reply to Ann, Bob…');
});

it('says why a sender is offered and what name recipients see', () => {
  const sender = { email: 'sales@here.example', displayName: 'Harbor', reason: 'contextual', canSend: true } as const;
  expect(senderHint(sender)).toBe('They wrote to this address');
  expect(senderHint(undefined)).toBe('');
  expect(nameHint(sender, undefined)).toBe('Recipients see “Harbor”');
  expect(nameHint(sender, 'Robin')).toBe('Recipients see “Robin”');
  expect(nameHint({ ...sender, displayName: null }, undefined)).toBe('Recipients see only the address');
});

it('names the consequence', () => {
  expect([0, 1, 3].map(consequence)).toEqual(['Add a recipient', 'To 1 person', 'To 3 people']);
});
