import { expect, it } from 'vitest';
import { isPhone, sessionName } from './session-labels';

it('names a browser as far as it is known', () => {
  const name = (browser: string | null, system: string | null) => sessionName({ browser, system });
  expect(name('Firefox', 'Windows')).toBe('Firefox on Windows');
  expect(name('Firefox', null)).toBe('Firefox');
  expect(name(null, 'Linux')).toBe('A browser on Linux');
  expect(name(null, null)).toBe('Unknown browser');
});

it('tells what is held in the hand', () => {
  expect(['iPhone', 'iPad', 'Android', 'Windows', null].map((system) => isPhone({ system }))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
