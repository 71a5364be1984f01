import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { changeTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { invited } from '@/server/testing/invitations';
import { withHttpServer } from '@/server/testing/rest';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

const get = (path: string) => call('GET', path);
const headers = { 'content-type': 'application/x-www-form-urlencoded' };
const answer = (path: string, value: string) => call('POST', path, { body: `answer=${value}`, headers });

describe('every page', () => {
  const bait = `"><img src=x onerror=alert(1)><script>alert(1)</script>' onclick='x`;

  test('keeps what people typed text', async () => {
    const { actor, eventId, path } = await invited({
      title: `Title${bait}`,
      description: `Text${bait}\njavascript:alert(1)\n> https://x.example/"onmouseover="alert(1)\n<a href="javascript:alert(1)">x</a>`,
      location: `javascript:alert(1)${bait}`,
      virtualMeeting: { provider: 'custom', url: 'https://x.example/?"><script>alert(1)</script>', password: bait },
      invitees: [{ email: 'ann@quark.example', name: bait }],
    });
    await pool().query('UPDATE identities SET display_name = $1 WHERE id = $2', [`Business${bait}`, actor.identityId]);
    const pages = [await get(path), await get(`${path}?answer=${encodeURIComponent(bait)}`)];
    await changeTestEvent(actor, eventId, { status: 'cancelled' });
    pages.push(await get(path));
    for (const { text } of pages) {
      expect(text).not.toMatch(/<(img|script|iframe|object)/i);
      expect(text).not.toMatch(/<[^>"]*("[^"]*"[^>"]*)*\son\w+\s*=/i);
      expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.split(':', 1)[0])).not.toContain('javascript');
      expect(text).toContain('Title&quot;&gt;&lt;img');
    }
  });

  test('has no scripts and no external resources, sends no referrer and is not cached', async () => {
    const { path } = await invited();
    const answers = [
      await get(path),
      await get('/rsvp/unknown'),
      await answer(path, 'nonsense'),
      await answer(path, 'accepted'),
      await call('PUT', path),
    ];
    for (const { headers, text } of answers) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'strict-transport-security': 'max-age=31536000',
        'x-request-id': expect.stringMatching(/./),
      });
      expect(headers).not.toHaveProperty('set-cookie');
      const policy = headers['content-security-policy']?.split('; ') ?? [];
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]));
      for (const [, style = ''] of text.matchAll(/<style>(.*?)<\/style>/g)) {
        expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
      }
      expect(text).not.toMatch(/\sstyle=|<script|<img/);
    }
    // The page does not contain its own URL.
    expect(answers[0]?.text).not.toContain(path.slice('/rsvp/'.length));
  });

  test('says so while the database is away', async () => {
    const { path } = await invited();
    const gone = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) as never;
    const query = vi.spyOn(pool(), 'query').mockImplementation(gone);
    const connect = vi.spyOn(pool(), 'connect').mockImplementation(gone);
    const answers = [await get(path), await answer(path, 'accepted')];
    query.mockRestore();
    connect.mockRestore();
    for (const { status, headers, text } of answers) {
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      expect(text).toContain('Nothing was changed');
    }
    expect((await get(path)).status).toBe(200);
  });
});
