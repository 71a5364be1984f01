import { expect, test } from 'vitest';
import { takeFromProcess } from '../process-globals';
import { isCommonPassword } from './common-passwords';

test('the list is read whole, in pieces between which others are served', async () => {
  takeFromProcess('common-passwords-12');
  /** CPU time between turns of the event loop, in milliseconds; other programs do not count. */
  const turns: number[] = [];
  let before = process.cpuUsage();
  const look = () => {
    turns.push(process.cpuUsage(before).user / 1000);
    before = process.cpuUsage();
    turn = setImmediate(look);
  };
  let turn = setImmediate(look);
  // From the beginning and the end of the list.
  for (const common of ['1qaz2wsx3edc', 'Mailcreated5240']) expect(await isCommonPassword(common, 12)).toBe(true);
  look();
  clearImmediate(turn);
  // In one go, it would be nearly all in one turn.
  const whole = turns.reduce((sum, each) => sum + each, 0);
  expect(Math.max(...turns)).toBeLessThan(whole / 2);
  expect(await isCommonPassword('kettlegrain sells almonds', 12)).toBe(false);
});
