import { expect, it } from 'vitest';
import { ConnectionLimit } from './smtp-connections';

/** How many connections are let in, of as many as are opened. */
function entered(limit: ConnectionLimit, addresses: readonly string[]): number {
  return addresses.filter((address, index) => limit.enter(`${address} ${index}`, address)).length;
}

const times = (count: number, address: (index: number) => string) => Array.from({ length: count }, (_, index) => address(index));

it('counts the addresses of one IPv6 network together, however they are written', () => {
  const limit = new ConnectionLimit();
  expect(
    entered(
      limit,
      times(30, (index) => `2001:db8:1:2::${index.toString(16)}`),
    ),
  ).toBe(20);
  expect(limit.enter('x', '2001:0db8:0001:0002:ffff:ffff:ffff:ffff')).toBe(false);
  expect(
    entered(
      limit,
      times(30, (index) => `2001:db8:1:3::${index.toString(16)}`),
    ),
  ).toBe(20);
});

it('counts an IPv4 address as one, also where it is mapped into IPv6', () => {
  const limit = new ConnectionLimit();
  expect(
    entered(
      limit,
      times(25, (index) => (index % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')),
    ),
  ).toBe(20);
  expect(limit.enter('x', '192.0.2.2')).toBe(true);
});

it('lets a mail server on the same machine open more', () => {
  expect(
    entered(
      new ConnectionLimit(),
      times(160, () => '127.0.0.1'),
    ),
  ).toBe(150);
  expect(
    entered(
      new ConnectionLimit(),
      times(160, () => '::1'),
    ),
  ).toBe(150);
});

it('makes room when a connection is closed, also one that was refused, and once each', () => {
  const limit = new ConnectionLimit();
  for (let id = 0; id < 21; id++) limit.enter(`${id}`, '192.0.2.1');
  limit.leave('20');
  limit.leave('20');
  limit.leave('unknown');
  expect(limit.enter('a', '192.0.2.1')).toBe(false);
  limit.leave('a');
  limit.leave('3');
  expect(limit.enter('b', '192.0.2.1')).toBe(true);
});
