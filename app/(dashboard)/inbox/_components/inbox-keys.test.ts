import { expect, test } from 'vitest';
import { commandOf } from './inbox-keys';

const press = (key: string, changes: Partial<Parameters<typeof commandOf>[0]> = {}) =>
  commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, ...changes });

test.each([
  ['j', 'next'],
  ['k', 'previous'],
  ['r', 'reply'],
  ['e', 'archive'],
  ['u', 'unread'],
  ['!', 'spam'],
  ['/', 'search'],
  ['Escape', 'close'],
  ['?', 'help'],
  ['x', undefined],
  ['E', undefined],
])('the key %s stands for %s', (key, command) => {
  expect(press(key)).toBe(command);
});

test.each(['ctrlKey', 'metaKey', 'altKey'] as const)('with %s, a key belongs to the browser', (modifier) => {
  expect(press('r', { [modifier]: true })).toBeUndefined();
});

test('holding a key down walks on, and does nothing else twice', () => {
  expect(press('j', { repeat: true })).toBe('next');
  expect(press('e', { repeat: true })).toBeUndefined();
});
