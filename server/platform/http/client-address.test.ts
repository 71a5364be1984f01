import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseEnv } from '@/server/platform/env';
import { setForProcess } from '@/server/platform/process-globals';
import { clientAddressOf } from './client-address';

function from(remoteAddress: string | undefined, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return clientAddressOf({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);
}

beforeEach(() => setForProcess('env', parseEnv({})));

describe('with TRUSTED_PROXIES', () => {
  test('only those are believed', () => {
    setForProcess('env', parseEnv({ TRUSTED_PROXIES: '203.0.113.7,2001:db8::/32' }));
    expect(from('203.0.113.7', '198.51.100.1')).toBe('198.51.100.1');
    expect(from('2001:db8::9', '198.51.100.1')).toBe('198.51.100.1');
    expect(from('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1');
  });

  test('a chain of them leads to whom the first of them heard from', () => {
    setForProcess('env', parseEnv({ TRUSTED_PROXIES: '10.0.0.0/8,2001:db8::/32,127.0.0.1' }));
    expect(from('127.0.0.1', '198.51.100.1, 10.1.2.3')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '6.6.6.6, 198.51.100.1, 2001:db8::7, ::ffff:10.1.2.3')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '6.6.6.6, not an address, 10.1.2.3')).toBe('not an address');
    expect(from('10.0.0.1', '10.0.0.9, 10.1.2.3')).toBe('10.0.0.9');
    expect(from('10.0.0.1', '6.6.6.6, 198.51.100.1:4711, [2001:db8::7]:443, 10.1.2.3:80')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '[2a00:1450::1]')).toBe('2a00:1450::1');
    expect(from('10.0.0.1', '2a00:1450::1')).toBe('2a00:1450::1');
    expect(from('10.0.0.1', '6.6.6.6, , 10.1.2.3')).toBe('10.1.2.3');
  });

  test('none is none', () => {
    setForProcess('env', parseEnv({ TRUSTED_PROXIES: 'none' }));
    expect(from('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1');
  });
});

describe('the address of a caller', () => {
  test('is the peer’s', () => {
    expect(from('203.0.113.7')).toBe('203.0.113.7');
    expect(from('2001:db8::1')).toBe('2001:db8::1');
    expect(from('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(from(undefined)).toBe('unknown');
  });

  test('can not be claimed by a peer on another machine, be it on the internet or near by', () => {
    for (const peer of ['203.0.113.7', '2001:db8::1', '10.1.2.3', '172.16.0.1', '192.168.0.9', 'fd00::1', '::ffff:10.1.2.3']) {
      expect(from(peer, '198.51.100.1')).toBe(peer.replace('::ffff:', ''));
    }
  });

  test('is the last one that a reverse proxy on this machine wrote; those before are the client’s own say', () => {
    for (const peer of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(from(peer, '198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
    }
    expect(from('127.0.0.1', '203.0.113.7')).toBe('203.0.113.7');
  });

  test('is the peer’s where a proxy says nothing', () => {
    expect(from('127.0.0.1')).toBe('127.0.0.1');
    expect(from('127.0.0.1', '')).toBe('127.0.0.1');
    expect(from('127.0.0.1', 'a, ')).toBe('127.0.0.1');
  });
});
