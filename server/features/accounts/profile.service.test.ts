import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { squareMaximumBytes } from '@/server/platform/images/square-image';
import { languageOf } from '@/server/platform/languages.schema';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { smallPicture } from '@/server/testing/small-picture';
import { addTestMember, memberCookie, type TestMember } from '@/server/testing/team';
import { getTeam } from '../team/member.service';
import { photoMaximumBytes } from './account.limits';
import { getAccount } from './account.service';
import { updateProfileInput } from './profile.schema';
import { removePhoto, setPhoto, updateProfile } from './profile.service';

withFreshDatabase({ PUBLIC_URL: 'http://desk.example.com' });
const call = withHttpServer();

let identity: TestIdentity;

beforeEach(async () => {
  identity = await createTestIdentity();
});

const profile = async () => (await getAccount(identity.actor)).user;

describe('a profile', () => {
  test('has a name that colleagues see', async () => {
    await updateProfile(identity.actor, { displayName: '  Ann Quark ' });
    expect((await profile()).displayName).toBe('Ann Quark');
    await updateProfile(identity.actor, { displayName: ' ' });
    expect((await profile()).displayName).toBe('');
  });

  test('has a time zone and a language of emails; what is not given stays', async () => {
    expect(await profile()).toMatchObject({ timeZone: null, language: 'en' });
    await updateProfile(identity.actor, { displayName: 'Ann', timeZone: 'europe/berlin' });
    await updateProfile(identity.actor, { language: 'de' });
    expect(await profile()).toMatchObject({ displayName: 'Ann', timeZone: 'Europe/Berlin', language: 'de' });
    await updateProfile(identity.actor, { timeZone: null });
    expect(await profile()).toMatchObject({ displayName: 'Ann', timeZone: null, language: 'de', emailFormat: 'plain' });
    await updateProfile(identity.actor, { emailFormat: 'markdown' });
    expect(await profile()).toMatchObject({ displayName: 'Ann', language: 'de', emailFormat: 'markdown' });
  });

  test('takes known zones and languages only', async () => {
    for (const timeZone of ['Europe/Atlantis', '+01:00', '']) {
      await expect(updateProfile(identity.actor, { timeZone })).rejects.toMatchObject({
        code: 'invalid_request',
        details: { fields: { timeZone: expect.stringContaining('IANA') } },
      });
    }
    expect(updateProfileInput.safeParse({ language: 'tlh' }).success).toBe(false);
    expect(languageOf({ language: 'tlh' })).toBe('en');
  });
});

describe('a photo', () => {
  const browser = { host: 'desk.example.com' };
  const get = async (url: string, cookie?: string) =>
    call('GET', url, { headers: { ...browser, ...(cookie ? { cookie } : {}) } });
  const urlOf = async () => (await profile()).photoUrl ?? '';

  test('is a small square, which its person and their colleagues see', async () => {
    const colleague = await addTestMember(identity, 'viewer');
    await setPhoto(identity.actor, { content: smallPicture });
    const url = await urlOf();
    expect((await getTeam(colleague.actor)).members.map(({ photoUrl }) => photoUrl)).toEqual([url, null]);
    for (const cookie of [await sessionCookieOf(identity), await memberCookie(colleague)]) {
      const answer = await get(url, cookie);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'cache-control': expect.stringMatching(/^private,/),
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      expect(await sharp(answer.bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
    }
  });

  test('is refused to all others', async () => {
    await setPhoto(identity.actor, { content: smallPicture });
    const url = await urlOf();
    const stranger = await createTestIdentity();
    const former = await addTestMember(identity, 'member');
    const cookie = await memberCookie(former);
    expect((await get(url, cookie)).status).toBe(200);
    await prisma().membership.deleteMany({ where: { userId: former.actor.userId } });
    expect((await get(url, cookie)).status).toBe(404);
    expect((await get(url, await sessionCookieOf(stranger))).status).toBe(404);
    expect((await get(url)).status).toBe(401);
    expect((await call('GET', url, { key: identity.key })).status).toBe(401);
    for (const path of ['', '/x', `${url}/x`, '/../auth/session'])
      expect((await get(path.startsWith('/api') ? path : `/api/photos${path}`, cookie)).status).toBe(404);
  });

  test('is replaced under another URL, and removed', async () => {
    await setPhoto(identity.actor, { content: smallPicture });
    const first = await urlOf();
    await setPhoto(identity.actor, { content: smallPicture });
    const second = await urlOf();
    expect(second).not.toBe(first);
    const cookie = await sessionCookieOf(identity);
    expect((await get(first, cookie)).status).toBe(404);
    await removePhoto(identity.actor);
    await removePhoto(identity.actor);
    expect((await profile()).photoUrl).toBeNull();
    expect((await get(second, cookie)).status).toBe(404);
  });

  test('stays whole when it is set many times at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => setPhoto(identity.actor, { content: smallPicture })));
    const stored = await prisma().userPhoto.findMany({ where: { userId: identity.actor.userId } });
    expect(stored.map(({ id }) => `/api/photos/${id}`)).toEqual([await urlOf()]);
  });

  test('is refused with the reason', async () => {
    const refusals: [string, string][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'), 'SVG'],
      [Buffer.from('hello').toString('base64'), 'not an image'],
      [Buffer.alloc(photoMaximumBytes + 1).toString('base64'), '5 MB'],
    ];
    for (const [content, reason] of refusals) {
      await expect(setPhoto(identity.actor, { content })).rejects.toMatchObject({
        code: 'invalid_request',
        details: { fields: { content: expect.stringContaining(reason) } },
      });
    }
    expect(photoMaximumBytes).toBe(squareMaximumBytes);
  });

  test('may be as large as the limit says over HTTP', async () => {
    const cookie = await sessionCookieOf(identity);
    const headers = { ...browser, origin: 'http://desk.example.com', 'sec-fetch-site': 'same-origin', cookie };
    const content = Buffer.alloc(photoMaximumBytes, 'x').toString('base64');
    const answer = await call('POST', '/api/trpc/account.setPhoto', { headers, json: { content } });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('not an image');
  });

  test('goes with the account', async () => {
    const member: TestMember = await addTestMember(identity, 'member');
    await setPhoto(member.actor, { content: smallPicture });
    await prisma().user.delete({ where: { id: member.actor.userId } });
    expect(await prisma().userPhoto.count({ where: { userId: member.actor.userId } })).toBe(0);
  });
});
