import { expect, test } from 'vitest';
import { isPicture, loadOf, percentOf } from './agent-labels';

test.each([
  [0, 'Idle'],
  [1, '1 task in progress'],
  [2, '2 tasks in progress'],
])('%i tasks: %s', (count, words) => {
  expect(loadOf(count)).toBe(words);
});

test('a number is written as the viewer writes it', () => {
  expect(loadOf(1200, '1.200')).toBe('1.200 tasks in progress');
});

test.each([
  [0, '0%'],
  [0.001, '1%'],
  [0.844, '84%'],
  [0.999, '99%'],
  [1, '100%'],
])('a share of %d reads %s', (share, percent) => {
  expect(percentOf(share)).toBe(percent);
});

test.each([
  ['https://quark.example/robin.png', true],
  ['https://quark.exam', false],
  ['http://quark.example/robin.png', false],
  ['robin.png', false],
  ['', false],
])('whether %j is a picture: %s', (address, answer) => {
  expect(isPicture(address)).toBe(answer);
});
