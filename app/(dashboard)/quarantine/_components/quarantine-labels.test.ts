import { expect, it } from 'vitest';
import { recipientsLine, senderLine } from './quarantine-labels';

it('tells a mail server from an unknown sender', () => {
  expect(senderLine('ann@quark.example')).toBe('ann@quark.example');
  expect(senderLine('')).toMatch(/Mail server/);
  expect(senderLine(null)).toMatch(/Unknown/);
});

it('names the first recipient and counts the others', () => {
  expect(recipientsLine(['a@b.example'])).toBe('a@b.example');
  expect(recipientsLine(['a@b.example', 'c@b.example', 'd@b.example'])).toBe('a@b.example and 2 more');
  expect(recipientsLine([])).toBe('unknown recipients');
});
