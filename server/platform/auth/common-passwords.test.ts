import { expect, test } from 'vitest';
import { takeFromProcess } from '../process-globals';
import { isCommonPassword } from './common-passwords';

test('the list is read whole, in pieces between which others are served', async () => {
  takeFromProcess('common-passwords-12');
  /** Maximum CPU time between two turns of the event loop, in milliseconds; other programs do not count. */
  let longest = 0;
  let before = process.cpuUsage();
  const look = () => {
    longest = Math.max(longest, process.cpuUsage(before).user / 1000);
    before = process.cpuUsage();
    turn = setImmediate(look);
  };
  let turn = setImmediate(look);
  // From the beginning and the end of the list.
  for (const common of ['1qaz2wsx3edc', 'Mailcreated5240']) expect(await isCommonPassword(common, 12)).toBe(true);
  look();
  clearImmediate(turn);
  expect(longest).toBeLessThan(100);
  expect(await isCommonPassword('kettlegrain sells almonds', 12)).toBe(false);
});
