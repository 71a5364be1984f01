import { expect, test } from 'vitest';
import { networkOf } from './client-network';

test('an IPv4 address counts by itself, however it is written', () => {
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107', '[::ffff:203.0.113.7]:443']) {
    expect(networkOf(address), address).toBe('203.0.113.7');
  }
  expect(networkOf('203.0.113.8')).not.toBe(networkOf('203.0.113.7'));
});

test('an IPv6 address counts with its /64', () => {
  for (const address of [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '[2001:db8:1:2::9]',
    '2001:0db8:0001:0002:0:0:0:3',
  ]) {
    expect(networkOf(address), address).toBe('2001:db8:1:2::/64');
  }
  expect(networkOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  expect(networkOf('fe80::1%eth0')).toBe('fe80::/64');
});

test('what is no address counts as it stands', () => {
  for (const text of ['unknown', '', 'x'.repeat(300), '1.2.3']) expect(networkOf(text)).toBe(text);
});
