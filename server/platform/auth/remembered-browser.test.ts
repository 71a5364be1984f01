import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { overrideEnv, parseEnv } from '@/server/platform/env';
import { setForProcess } from '@/server/platform/process-globals';
import { rememberBrowser, rememberedBrowserId } from './remembered-browser';

beforeEach(() => setForProcess('env', parseEnv({ AUTH_SECRET: 'x'.repeat(32) })));
afterEach(() => {
  vi.useRealTimers();
});

const pair = (cookie: string) => cookie.split(';')[0] ?? '';

describe('a remembered browser', () => {
  test('is known for its account and for no other', () => {
    const cookie = pair(rememberBrowser(null, 'ann'));
    expect(rememberedBrowserId(cookie, 'ann')).toMatch(/^[\w-]{22}$/);
    expect(rememberedBrowserId(`a=b; ${cookie}; c=d`, 'ann')).toBe(rememberedBrowserId(cookie, 'ann'));
    expect(rememberedBrowserId(cookie, 'bo')).toBeNull();
    expect(rememberedBrowserId(null, 'ann')).toBeNull();
  });

  test('gets another id with each sign-in, and keeps those of its other accounts', () => {
    const ann = pair(rememberBrowser(null, 'ann'));
    const both = pair(rememberBrowser(ann, 'bo'));
    expect(rememberedBrowserId(both, 'ann')).toBe(rememberedBrowserId(ann, 'ann'));
    const again = pair(rememberBrowser(both, 'ann'));
    expect(rememberedBrowserId(again, 'ann')).not.toBe(rememberedBrowserId(ann, 'ann'));
    expect(rememberedBrowserId(again, 'bo')).toBe(rememberedBrowserId(both, 'bo'));
  });

  test('forgets the account used longest ago when there are too many', () => {
    let cookie: string | null = null;
    for (const account of ['a', 'b', 'c', 'd', 'e', 'f']) cookie = pair(rememberBrowser(cookie, account));
    expect(rememberedBrowserId(cookie, 'a')).toBeNull();
    for (const account of ['b', 'c', 'd', 'e', 'f']) expect(rememberedBrowserId(cookie, account)).not.toBeNull();
  });

  test('is believed only with our signature, and for 400 days', () => {
    const cookie = pair(rememberBrowser(null, 'ann'));
    const [name, value = ''] = cookie.split('=');
    const [payload = '', signature = ''] = value.split('.');
    const other = Buffer.from(JSON.stringify([['bo', 'x', 9e9]])).toString('base64url');
    for (const forged of [
      '',
      'x',
      '.',
      `${payload}.`,
      `${payload}.x`,
      `${other}.${signature}`,
      `.${signature}`,
      `${payload}x.${signature}`,
    ]) {
      expect(rememberedBrowserId(`${name}=${forged}`, 'ann'), forged).toBeNull();
      expect(rememberedBrowserId(`${name}=${forged}`, 'bo'), forged).toBeNull();
    }
    vi.useFakeTimers({ now: Date.now() + 401 * 24 * 3_600_000, toFake: ['Date'] });
    expect(rememberedBrowserId(cookie, 'ann')).toBeNull();
    vi.useRealTimers();
    overrideEnv({ AUTH_SECRET: 'y'.repeat(32) });
    expect(rememberedBrowserId(cookie, 'ann')).toBeNull();
  });

  test('is out of reach of scripts and other sites, and of other hosts with https', () => {
    expect(rememberBrowser(null, 'ann')).toMatch(
      /^frontdesk\.browser=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
    );
    overrideEnv({ PUBLIC_URL: 'https://desk.example.com' });
    expect(rememberBrowser(null, 'ann')).toMatch(/^__Host-frontdesk\.browser=.*; Secure$/);
  });
});
