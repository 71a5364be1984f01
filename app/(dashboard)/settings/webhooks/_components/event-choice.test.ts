import { expect, test } from 'vitest';
import { isGroupChecked, isTypeChecked, withEverything, withGroup, withType } from './event-choice';

const customer = { group: 'customer', types: [{ type: 'customer.created' }, { type: 'customer.deleted' }] };
const blog = { group: 'blog', types: [{ type: 'blog.post.created' }] };

test('choosing a group replaces its types, and leaves other groups', () => {
  expect(withGroup(['blog.post.created', 'customer.created'], customer, true)).toEqual(['blog.post.created', 'customer.*']);
  expect(withGroup(['blog.post.created', 'customer.*'], customer, false)).toEqual(['blog.post.created']);
  expect(withType(withType([], 'customer.created', true), 'customer.created', false)).toEqual([]);
  expect(withEverything(true)).toEqual(['*']);
});

test('what a checkbox above includes is checked and can’t be unchecked', () => {
  expect(isGroupChecked(['*'], customer)).toEqual({ isChecked: true, isImplied: true });
  expect(isGroupChecked(['customer.*'], customer)).toEqual({ isChecked: true, isImplied: false });
  expect(isTypeChecked(['customer.*'], customer, 'customer.created')).toEqual({ isChecked: true, isImplied: true });
  expect(isTypeChecked(['customer.created'], customer, 'customer.created')).toEqual({ isChecked: true, isImplied: false });
  expect(isTypeChecked(['customer.created'], customer, 'customer.deleted')).toEqual({ isChecked: false, isImplied: false });
  // A pattern that the API took, between a group and a type.
  expect(isTypeChecked(['blog.post.*'], blog, 'blog.post.created')).toEqual({ isChecked: true, isImplied: true });
});
