import { expect, test } from 'vitest';
import { fieldMessage } from './field-message';

test.each([
  ['Name', 'must not be empty', 'Name must not be empty.'],
  ['Name', 'is required', 'Name is required.'],
  ['Price', 'Enter an amount.', 'Enter an amount.'],
  ['Name', undefined, undefined],
])('%s, %j → %j', (label, reason, expected) => {
  expect(fieldMessage(label, reason)).toBe(expected);
});
