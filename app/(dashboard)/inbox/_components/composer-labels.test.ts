import { expect, it } from 'vitest';
import { consequence, nameHint, replyPrompt, senderHint } from './composer-labels';

const person = (displayName: string | null, email = 'ann@quark.example') => ({ email, displayName });

it('names the first two it answers', () => {
  expect(replyPrompt([])).toBe('Reply');
  expect(replyPrompt([person('Ann')])).toBe('Reply to Ann');
  expect(replyPrompt([person('Ann'), person(null, 'bob@quark.example')])).toBe('Reply to Ann, bob@quark.example');
  expect(replyPrompt([person('Ann'), person('Bob'), person('Cy')])).toBe('Reply to Ann, Bob…');
});

it('says why a sender is offered, and the name that is seen', () => {
  const sender = { email: 'sales@here.example', displayName: 'Harbor', reason: 'contextual' } as const;
  expect(senderHint(sender)).toBe('Because they wrote there');
  expect(senderHint(undefined)).toBe('');
  expect(nameHint(sender, undefined)).toBe('Sent under the name Harbor');
  expect(nameHint(sender, 'Robin')).toBe('Sent under the name Robin');
  expect(nameHint({ ...sender, displayName: null }, undefined)).toBe('Sent without a name');
});

it('names the consequence', () => {
  expect([0, 1, 3].map(consequence)).toEqual(['Nobody will get this yet', '1 person will get this', '3 people will get this']);
});
