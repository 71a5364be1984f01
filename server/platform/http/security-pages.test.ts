import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NextRequest } from 'next/server';
import { expect, test } from 'vitest';
import { config, proxy } from '@/proxy';
import { withFreshDatabase } from '@/server/testing/database';

/** What guards the dashboard's pages before their code runs. The browser tests check real pages. */

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });

const root = fileURLToPath(new URL('../../..', import.meta.url));
const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1];

function answerTo(pathname: string): Headers {
  return proxy(new NextRequest(`https://desk.example.com${pathname}`)).headers;
}

test('every page has a policy of its own: no eval, no inline script, a nonce nobody can guess', () => {
  const nonces = new Set<string | undefined>();
  for (const pathname of ['/', '/sign-in', '/setup', '/inbox/x', '/customers?q=x', '/nothing', '/api/auth/session']) {
    const headers = answerTo(pathname);
    const policy = headers.get('content-security-policy') ?? '';
    const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src '));
    expect(scripts).toBe(`script-src 'self' 'nonce-${nonceOf(policy)}' 'strict-dynamic'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    nonces.add(nonceOf(policy));
  }
  expect(nonces.size).toBe(7);
  for (const nonce of nonces) expect(Buffer.from(nonce ?? '', 'base64').length).toBeGreaterThanOrEqual(16);
});

test('a caller can not choose the nonce, nor the path that sign-in leads back to', () => {
  const request = new NextRequest('https://desk.example.com/inbox', {
    headers: {
      'x-nonce': 'mine',
      'content-security-policy': "script-src 'nonce-mine'",
      'x-frontdesk-path': 'https://evil.example',
    },
  });
  const { headers } = proxy(request);
  const forwarded = (name: string) => headers.get(`x-middleware-request-${name}`);
  expect(forwarded('x-nonce')).toBe(nonceOf(headers.get('content-security-policy')));
  expect(forwarded('content-security-policy')).toBe(headers.get('content-security-policy'));
  expect(forwarded('x-frontdesk-path')).toBe('/inbox');
});

test('what has no policy from here are files and what is answered elsewhere', () => {
  const [pattern = ''] = config.matcher;
  const matcher = new RegExp(`^${pattern}$`);
  for (const page of [
    '/',
    '/sign-in',
    '/inbox/1',
    '/api/auth/signin',
    '/api-keys',
    '/rsvpx',
    '/calendar',
    '/api/v1x',
    '/api/trpc.x',
    '/icon.svg.x',
    '/_next/staticx',
  ]) {
    expect([page, matcher.test(page)]).toEqual([page, true]);
  }
  for (const other of ['/_next/static/x.js', '/api/v1/identity', '/api/trpc/x', '/rsvp/x', '/icon.svg']) {
    expect([other, matcher.test(other)]).toEqual([other, false]);
  }
});

function componentsBelow(directory: string): string[] {
  return readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const name = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return componentsBelow(name);
    return /\.tsx$/.test(name) && !/\.test\.tsx$/.test(name) ? [name] : [];
  });
}

/** Their HTML is made from files of the repository. */
const reviewed = ['app/docs/follow-what-happens/page.tsx'];

test('no page writes a script of its own without the nonce, or HTML that nobody has looked at', () => {
  const components = componentsBelow('app');
  expect(components.length).toBeGreaterThan(50);
  const wrong = components.filter((name) => {
    const source = readFileSync(path.join(root, name), 'utf8');
    const scripts = source.match(/<(script|Script)\b[^>]*>/g) ?? [];
    return (
      scripts.some((script) => !script.includes('nonce=')) || /dangerouslySetInnerHTML|\.innerHTML\s*=|srcDoc=\{`/.test(source)
    );
  });
  expect(wrong).toEqual(reviewed);
});
