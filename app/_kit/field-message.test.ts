import { expect, test } from 'vitest';
import { fieldMessage } from './field-message';

test.each([
  ['Name', 'must not be empty', 'Name can’t be empty.'],
  ['Email', 'must be an e-mail address', 'Enter a valid email address.'],
  ['“ann”', 'must be an e-mail address', '“ann” isn’t a valid email.'],
  ['Name', 'is required', 'Name is required.'],
  ['Price', 'Enter an amount.', 'Enter an amount.'],
  ['Name', undefined, undefined],
])('%s, %j → %j', (label, reason, expected) => {
  expect(fieldMessage(label, reason)).toBe(expected);
});
