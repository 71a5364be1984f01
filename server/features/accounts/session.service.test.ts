import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SessionActor } from '@/server/platform/actor';
import { readSession } from '@/server/platform/auth/session';
import { sessionCookie } from '@/server/platform/auth/session-token';
import { pool } from '@/server/platform/db/pool';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { removals } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { getFeed, renewFeed } from '../calendar/feed.service';
import { changePassword } from './account.service';
import { beginSession, endOtherSessions, endSession, listSessions, signOut, signOutEverywhere } from './session.service';

withFreshDatabase();

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';
const browser = { userAgent: firefox, address: '2001:db8::1' };
const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? '';

/** An owner signed in with several browsers, and the request data of each. */
async function signedIn(browsers = 1) {
  const identity = await createTestIdentity();
  const { userId } = identity.owner;
  const found = await Promise.all(
    Array.from({ length: browsers }, async () => {
      const sessionId = await beginSession(userId, browser);
      const cookie = cookieOf(await sessionCookie({ userId, epoch: 0, sessionId }));
      const actor: SessionActor = { ...identity.actor, sessionId };
      return { sessionId, cookie, actor, isIn: async () => (await readSession(cookie)) !== null };
    }),
  );
  const [first] = found;
  if (!first) throw new Error('There is a first browser.');
  return { ...identity, first, browsers: found };
}

async function sessionsOf(userId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1 ORDER BY id', [userId]);
  return rows.map(({ id }) => id);
}

describe('the sessions of somebody', () => {
  test('are told in words, the calling one first, nobody else’s among them', async () => {
    const { first, owner } = await signedIn();
    await signedIn();
    const other = await beginSession(owner.userId, { userAgent: 'curl/8', address: 'unknown' });
    const list = await listSessions(first.actor);
    expect(list).toEqual([
      {
        id: first.sessionId,
        browser: 'Firefox',
        system: 'Linux',
        address: '2001:db8::1',
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        isCurrent: true,
      },
      expect.objectContaining({ id: other, browser: null, system: null, isCurrent: false }),
    ]);
  });

  test('keep as much of a browser’s words as there is room for', async () => {
    const { userId } = (await createTestIdentity()).owner;
    const id = await beginSession(userId, { userAgent: 'x'.repeat(5_000), address: 'y'.repeat(5_000) });
    const { rows } = await pool().query('SELECT user_agent, address FROM sessions WHERE id = $1', [id]);
    expect(rows[0].user_agent).toHaveLength(300);
    expect(rows[0].address).toHaveLength(100);
  });

  test('that are over are not listed, and go with the next upkeep', async () => {
    const { first, owner } = await signedIn();
    const old = await beginSession(owner.userId, browser);
    await pool().query(`UPDATE sessions SET last_seen_at = now() - interval '15 days' WHERE id = $1`, [old]);
    const long = await beginSession(owner.userId, browser);
    await pool().query(`UPDATE sessions SET created_at = now() - interval '90 days 1 second' WHERE id = $1`, [long]);
    expect((await listSessions(first.actor)).map(({ id }) => id)).toEqual([first.sessionId]);
    expect(await sessionsOf(owner.userId)).toContain(old);
    await removeExpired(removals);
    expect(await sessionsOf(owner.userId)).toEqual([first.sessionId]);
  });
});

describe('ending a session', () => {
  test('stops it at once, and no other', async () => {
    const { first, browsers } = await signedIn(3);
    const [, second, third] = browsers;
    await endSession(first.actor, second?.sessionId ?? '');
    expect(await Promise.all(browsers.map(({ isIn }) => isIn()))).toEqual([true, false, true]);
    await expect(endSession(first.actor, second?.sessionId ?? '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await third?.isIn()).toBe(true);
  });

  test('of somebody else is not found, and changes nothing', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    await expect(endSession(one.first.actor, two.first.sessionId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(endSession(one.first.actor, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    await signOut(one.owner.userId, two.first.sessionId);
    await endOtherSessions(one.first.actor, { calendarLinks: false });
    expect(await two.first.isIn()).toBe(true);
  });

  test('twice at the same time works once', async () => {
    const { first, browsers } = await signedIn(2);
    const id = browsers[1]?.sessionId ?? '';
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => endSession(first.actor, id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'not_found' });
  });

  test('two browsers that end all others at the same time leave one of them at most', async () => {
    const { browsers, owner } = await signedIn(2);
    await Promise.all(browsers.map(({ actor }) => endOtherSessions(actor, { calendarLinks: false })));
    expect((await sessionsOf(owner.userId)).length).toBeLessThanOrEqual(1);
  });

  test('all others says how many, and keeps the calling one', async () => {
    const { first, browsers } = await signedIn(3);
    expect(await endOtherSessions(first.actor, { calendarLinks: false })).toEqual({ ended: 2 });
    expect(await Promise.all(browsers.map(({ isIn }) => isIn()))).toEqual([true, false, false]);
    expect(await endOtherSessions(first.actor, { calendarLinks: false })).toEqual({ ended: 0 });
  });

  test('by signing out makes a copy of its cookie worthless', async () => {
    const { first, owner } = await signedIn();
    await signOut(owner.userId, first.sessionId);
    expect(await first.isIn()).toBe(false);
    await signOut(owner.userId, first.sessionId);
  });

  test.each([
    ['all others', endOtherSessions],
    ['all', signOutEverywhere],
  ])('%s ends the calendar links of the account too if asked to', async (_, end) => {
    const { first, actor, owner } = await signedIn(2);
    const second = await createTestIdentity({ ownerEmail: owner.email, existingOwner: true });
    const stranger = await signedIn();
    for (const subscriber of [actor, second.actor, stranger.actor]) await renewFeed(subscriber);
    const links = () =>
      Promise.all([actor, second.actor, stranger.actor].map(async (one) => (await getFeed(one)).createdAt !== null));
    await end({ ...first.actor }, { calendarLinks: false });
    expect(await links()).toEqual([true, true, true]);
    await end({ ...first.actor }, { calendarLinks: true });
    expect(await links()).toEqual([false, false, true]);
  });

  test('everywhere ends the calling one as well, and a sign-in that was under way', async () => {
    const { first, browsers, owner } = await signedIn(2);
    await signOutEverywhere(first.actor, { calendarLinks: false });
    expect(await Promise.all(browsers.map(({ isIn }) => isIn()))).toEqual([false, false]);
    const late = await beginSession(owner.userId, browser);
    const cookie = cookieOf(await sessionCookie({ userId: owner.userId, epoch: 0, sessionId: late }));
    expect(await readSession(cookie)).toBeNull();
  });
});

describe('changing the password', () => {
  const newPassword = 'another long password';

  test('ends the others and a copy of the caller’s cookie; the caller goes on with a new one', async () => {
    const { first, browsers, owner } = await signedIn(2);
    const renewed = await changePassword(first.actor, { currentPassword: owner.password, newPassword }, 'here');
    expect(await Promise.all(browsers.map(({ isIn }) => isIn()))).toEqual([false, false]);
    expect(await readSession(cookieOf(renewed))).toEqual(first.actor);
    expect(await sessionsOf(owner.userId)).toEqual([first.sessionId]);
  });
});
