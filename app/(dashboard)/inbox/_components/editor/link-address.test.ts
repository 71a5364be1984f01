import { expect, test } from 'vitest';
import { linkAddress } from './link-address';

test.each([
  ['example.com', 'https://example.com/'],
  [' https://example.com/a b ', null],
  ['HTTP://example.com/x', 'http://example.com/x'],
  ['ann@example.com', 'mailto:ann@example.com'],
  ['mailto:ann@example.com', 'mailto:ann@example.com'],
  ['tel:+49123', 'tel:+49123'],
  ['localhost:3000/x', 'https://localhost:3000/x'],
  ['javascript:alert(1)', null],
  ['', null],
  ['https://', null],
])('the address of %j is %j', (typed, address) => {
  expect(linkAddress(typed)).toBe(address);
});
