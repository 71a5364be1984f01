import { describe, expect, test } from 'vitest';
import { apiSecurityHeaders, pageSecurityHeaders } from './security-headers';

function directives(options: Partial<Parameters<typeof pageSecurityHeaders>[0]> = {}): Map<string, string[]> {
  const headers = pageSecurityHeaders({ nonce: 'n0nce', https: true, development: false, ...options });
  return new Map(
    (headers['Content-Security-Policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

describe('pages', () => {
  test('run the scripts of this response only', () => {
    expect(directives().get('script-src')).toEqual(["'self'", "'nonce-n0nce'", "'strict-dynamic'"]);
    expect(directives({ development: true }).get('script-src')).toContain("'unsafe-eval'");
  });

  test('load nothing from elsewhere but images, and are framed by nobody', () => {
    for (const [name, sources] of directives()) {
      if (name === 'img-src') continue;
      expect(sources.filter((source) => source === '*' || source.startsWith('http'))).toEqual([]);
    }
    expect(directives().get('default-src')).toEqual(["'self'"]);
    expect(directives().get('frame-ancestors')).toEqual(["'none'"]);
    expect(directives().get('object-src')).toEqual(["'none'"]);
    expect(directives().get('base-uri')).toEqual(["'self'"]);
    expect(directives().get('form-action')).toEqual(["'self'"]);
  });

  test('insist on https only where there is one', () => {
    expect(directives().has('upgrade-insecure-requests')).toBe(true);
    expect(directives({ https: false }).has('upgrade-insecure-requests')).toBe(false);
    const options = { nonce: 'x', development: false };
    expect(pageSecurityHeaders({ ...options, https: true })).toHaveProperty('Strict-Transport-Security');
    expect(pageSecurityHeaders({ ...options, https: false })).not.toHaveProperty('Strict-Transport-Security');
  });
});

test('pages whose address is a secret tell it to no one', () => {
  const options = { nonce: 'x', https: true, development: false };
  expect(pageSecurityHeaders({ ...options, holdsSecret: true })).toMatchObject({
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  expect(pageSecurityHeaders(options)).toMatchObject({ 'Referrer-Policy': 'strict-origin-when-cross-origin' });
});

test('answers for programs allow nothing at all', () => {
  expect(apiSecurityHeaders()).toMatchObject({
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
});
