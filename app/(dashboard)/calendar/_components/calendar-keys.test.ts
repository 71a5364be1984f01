import { expect, it } from 'vitest';
import { calendarCommands, calendarKeys, commandOf } from './calendar-keys';

const pressed = (key: string, changes: object = {}) =>
  commandOf({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, ...changes });

it('gives every key one command only', () => {
  const keys = calendarCommands.flatMap((command) => calendarKeys[command].keys);
  expect(new Set(keys).size).toBe(keys.length);
  for (const command of calendarCommands) {
    for (const key of calendarKeys[command].keys) expect(pressed(key)).toBe(command);
  }
});

it('leaves the browser its own', () => {
  expect(pressed('c', { ctrlKey: true })).toBeUndefined();
  expect(pressed('ArrowLeft', { altKey: true })).toBeUndefined();
  expect(pressed('x')).toBeUndefined();
});

it('makes one event however long a key is held down', () => {
  expect(pressed('n', { repeat: true })).toBeUndefined();
  expect(pressed('j', { repeat: true })).toBe('next');
});
