import { expect, it } from 'vitest';
import { matchingTags, splitTags } from './tag-input';

it('splits by comma, semicolon and line, without blanks and repetitions', () => {
  expect(splitTags(' vip, eu;vip\n late payer \t')).toEqual(['vip', 'eu', 'late payer']);
});

it('leaves out what is there already, but not what only looks alike', () => {
  expect(splitTags('vip, VIP', ['vip'])).toEqual(['VIP']);
});

it('suggests what contains the typed text, in any case, and is not chosen yet', () => {
  const known = ['VIP', 'wholesale', 'vip-lapsed'];
  expect(matchingTags(' vip', known, [])).toEqual(['VIP', 'vip-lapsed']);
  expect(matchingTags('vip', known, ['VIP'])).toEqual(['vip-lapsed']);
  expect(matchingTags('', known, [])).toEqual(known);
  const many = Array.from({ length: 20 }, (_, n) => `tag ${n}`);
  expect(matchingTags('tag', many, [])).toHaveLength(8);
});
