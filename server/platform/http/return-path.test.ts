import { describe, expect, test } from 'vitest';
import { safeReturnPath } from './return-path';

describe('safeReturnPath', () => {
  test.each(['/', '/customers', '/customers?tag=vip&page=2', '/customers/0199f3b2#notes', '/signing'])('keeps %s', (url) => {
    expect(safeReturnPath(url)).toBe(url);
  });

  test.each([
    undefined,
    ['/a', '/b'],
    '',
    'customers',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/%5C/../..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/sign-in',
    '/sign-in?callbackUrl=/',
    '/setup?token=x',
    '/forgot-password',
    '/reset-password#token',
    '/api/auth/signout',
  ])('turns %j into the start page', (url) => {
    const safe = safeReturnPath(url);
    expect(new URL(safe, 'https://desk.example').origin).toBe('https://desk.example');
    expect(safe).toBe('/');
  });
});
