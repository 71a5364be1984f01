import { expect, it } from 'vitest';
import { splitTags } from './tag-input';

it('splits by comma, semicolon and line, without blanks and repetitions', () => {
  expect(splitTags(' vip, eu;vip\n late payer \t')).toEqual(['vip', 'eu', 'late payer']);
});

it('leaves out what is there already, but not what only looks alike', () => {
  expect(splitTags('vip, VIP', ['vip'])).toEqual(['VIP']);
});
