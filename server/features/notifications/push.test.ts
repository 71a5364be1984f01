import { createECDH, randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { notificationsOf, notifyMembers, quietNow, signInTestBrowser } from '@/server/testing/notifications';
import { createTestBrowser, type TestBrowser, vapidClaims } from '@/server/testing/push';
import { addTestMember } from '@/server/testing/team';
import { type Receiver, startReceiver } from '@/server/testing/webhook-receiver';
import { deliverNotifications } from './delivery.service';
import { pushSubscriptionInput } from './notification.schema';
import { markNotificationsRead } from './notification.service';
import { subscribeBrowser, unsubscribeBrowser } from './push.service';
import { getNotificationSettings, updateNotificationSettings } from './settings.service';
import { sendTestNotification } from './test-notification.service';
import { vapidKeys } from './vapid';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1', PUBLIC_URL: 'https://desk.example.com' });

let service: Receiver;
beforeAll(async () => {
  service = await startReceiver();
});
afterAll(() => service.close());
beforeEach(() => {
  service.received.length = 0;
  service.answerWith(201);
});

type PersonActor = SessionActor & IdentityActor;

/** Adds the browser of a session. */
async function addBrowser(actor: PersonActor, endpoint = `${service.url}/${randomUUID()}`): Promise<TestBrowser> {
  const browser = createTestBrowser(endpoint);
  await signInTestBrowser(actor);
  await subscribeBrowser(actor, browser.subscription);
  return browser;
}

/** A member, one of whose browsers gets pushes. */
async function pushedMember() {
  const identity = await createTestIdentity({ displayName: 'Harbor Lane' });
  const { actor } = await addTestMember(identity, 'member');
  const browser = await addBrowser(actor);
  const received = () => service.received.map(({ bytes }) => browser.decrypt(bytes));
  return { actor, browser, received, deliver: (at?: Date) => deliverNotifications(actor, at ? { at } : {}) };
}

const browsersOf = ({ userId }: PersonActor) => prisma().pushSubscription.findMany({ where: { userId }, orderBy: { id: 'asc' } });

describe('a push', () => {
  test('is encrypted for the browser, and signed by this installation', async () => {
    const { actor, received, deliver } = await pushedMember();
    const conversationId = randomUUID();
    await notifyMembers([actor], { title: 'Assigned to you: Rims', conversationId });
    const [{ id: tag = '' } = {}] = await notificationsOf(actor);
    await deliver();
    const [request] = service.received;
    expect(received()).toEqual([{ title: 'Assigned to you: Rims', body: 'Harbor Lane', path: `/inbox/${conversationId}`, tag }]);
    expect(request?.bytes.toString('latin1')).not.toContain('Rims');
    expect(request?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', 'user-agent': 'Frontdesk' });
    const { publicKey, claims } = vapidClaims(request?.headers.authorization ?? '');
    expect(publicKey).toBe((await getNotificationSettings(actor)).push.publicKey);
    expect(claims).toMatchObject({ aud: service.url, sub: 'mailto:frontdesk@desk.example.com' });
  });

  test('is sent once, also if the push service fails or the job runs again', async () => {
    const { actor, deliver } = await pushedMember();
    service.answerWith(500);
    await notifyMembers([actor]);
    await Promise.all([deliver(), deliver(), deliver()]);
    await deliver();
    expect(service.received).toHaveLength(1);
    expect(await notificationsOf(actor)).toMatchObject([{ pushDueAt: null, pushedAt: expect.any(Date) }]);
    expect(await browsersOf(actor)).toHaveLength(1);
  });

  test('that the server did not send before it died is not sent later', async () => {
    const { actor, deliver } = await pushedMember();
    await notifyMembers([actor]);
    const stopped = AbortSignal.abort(new Error('killed'));
    await expect(deliverNotifications(actor, { signal: stopped })).rejects.toThrow('killed');
    await deliver();
    expect(service.received).toEqual([]);
    expect(await notificationsOf(actor)).toMatchObject([{ pushedAt: expect.any(Date), readAt: null }]);
  });

  test('of more than three notifications is one', async () => {
    const { actor, received, deliver } = await pushedMember();
    for (let number = 1; number <= 4; number++) await notifyMembers([actor]);
    await deliver();
    expect(received()).toMatchObject([{ title: '4 notifications', path: '/' }]);
  });

  test('goes to each browser of the person', async () => {
    const { actor, deliver } = await pushedMember();
    await addBrowser({ ...actor, sessionId: uuidv7() });
    await notifyMembers([actor]);
    await deliver();
    expect(new Set(service.received.map(({ path }) => path)).size).toBe(2);
  });

  test('waits for the end of quiet hours, and is not sent if the notification was read or turned off', async () => {
    const { actor, received, deliver } = await pushedMember();
    const { quietHours, endsAt } = quietNow();
    await updateNotificationSettings(actor, { quietHours });
    await notifyMembers([actor], { title: 'One' });
    await notifyMembers([actor], { title: 'Two' });
    await notifyMembers([actor], { title: 'Three', kind: 'mentioned' });
    const [one] = await notificationsOf(actor);
    await markNotificationsRead(actor, { ids: [one?.id ?? ''] });
    await updateNotificationSettings(actor, { channels: { mentioned: { push: false } } });
    await deliver();
    expect(service.received).toEqual([]);
    await deliver(endsAt);
    expect(received()).toMatchObject([{ title: 'Two' }]);
  });
});

describe('a browser', () => {
  test.each([404, 410])('that is gone (%i) is forgotten', async (status) => {
    const { actor, deliver } = await pushedMember();
    service.answerWith(status);
    await notifyMembers([actor]);
    await deliver();
    expect(await browsersOf(actor)).toEqual([]);
    // From now on, nothing is to be pushed.
    await notifyMembers([actor]);
    expect((await notificationsOf(actor)).at(-1)).toMatchObject({ pushDueAt: null });
  });

  test('ends with its session', async () => {
    const { actor } = await pushedMember();
    expect((await getNotificationSettings(actor)).push).toMatchObject({ isOnHere: true, browsers: 1 });
    expect((await getNotificationSettings({ ...actor, sessionId: uuidv7() })).push.isOnHere).toBe(false);
    await prisma().session.delete({ where: { id: actor.sessionId } });
    expect(await browsersOf(actor)).toEqual([]);
  });

  test('is replaced by what its session gives next, and turned off', async () => {
    const { actor } = await pushedMember();
    const { subscription } = await addBrowser(actor);
    expect(await browsersOf(actor)).toMatchObject([{ endpoint: subscription.endpoint }]);
    await unsubscribeBrowser(actor);
    expect(await browsersOf(actor)).toEqual([]);
  });

  test('is taken over by the next person who signs in there, and by no one without its secret', async () => {
    const { actor, browser } = await pushedMember();
    const { actor: next } = await addTestMember(actor, 'member');
    await signInTestBrowser(next);
    const { endpoint } = browser.subscription;
    const forged = createTestBrowser(endpoint).subscription;
    await expect(subscribeBrowser(next, forged)).rejects.toMatchObject({ code: 'conflict' });
    expect(await browsersOf(actor)).toHaveLength(1);
    await subscribeBrowser(next, browser.subscription);
    expect(await browsersOf(actor)).toEqual([]);
    expect(await browsersOf(next)).toMatchObject([{ endpoint }]);
  });

  test('beyond the tenth replaces the oldest, also of twelve at the same moment', async () => {
    const { actor } = await pushedMember();
    const [oldest] = await browsersOf(actor);
    await Promise.all(Array.from({ length: 12 }, () => addBrowser({ ...actor, sessionId: uuidv7() })));
    const left = await browsersOf(actor);
    expect(left).toHaveLength(10);
    expect(left.map(({ id }) => id)).not.toContain(oldest?.id);
  });

  test.each([
    ['http://10.0.0.1/push', 'endpoint'],
    ['http://169.254.169.254/latest', 'endpoint'],
    ['https://localhost/push', 'endpoint'],
    ['https://8.8.8.8:8443/push', 'endpoint'],
  ])('at %s is refused', async (endpoint, field) => {
    const { actor } = await createTestIdentity();
    const refused = subscribeBrowser(actor, createTestBrowser(endpoint).subscription);
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: { [field]: expect.any(String) } },
    });
  });

  test('whose name leads to a private address by now gets nothing', async () => {
    const { actor } = await createTestIdentity();
    await signInTestBrowser(actor);
    const { subscription } = createTestBrowser('https://push.example/a');
    const { endpoint, keys } = subscription;
    const { userId, sessionId } = actor;
    await prisma().pushSubscription.create({ data: { userId, sessionId, endpoint, ...keys } });
    const sent = sendTestNotification(actor, { channel: 'push' }, (_name, _options, done) =>
      done(null, [{ address: '10.0.0.1', family: 4 }]),
    );
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining('not an address of the public internet') });
  });

  test.each([
    [{ endpoint: 'ftp://x.example/' }, ['endpoint']],
    [{ keys: { p256dh: 'x', auth: 'A'.repeat(22) } }, ['keys', 'p256dh']],
    [{ keys: { p256dh: 'A'.repeat(87), auth: '=' } }, ['keys', 'auth']],
  ])('with %j is refused', (changes, path) => {
    const given = { ...createTestBrowser('https://push.example/').subscription, ...changes };
    expect(pushSubscriptionInput.safeParse(given).error?.issues.map((issue) => issue.path)).toEqual([path]);
  });

  test('with a key that is no point of the curve is refused', async () => {
    const { actor } = await createTestIdentity();
    const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'A'.repeat(22) };
    const refused = subscribeBrowser(actor, { endpoint: `${service.url}/a`, keys });
    await expect(refused).rejects.toMatchObject({ details: { fields: { 'keys.p256dh': expect.any(String) } } });
  });
});

describe('a test notification', () => {
  test('appears in the browser that asks for it', async () => {
    const { actor, received } = await pushedMember();
    await addBrowser({ ...actor, sessionId: uuidv7() });
    await sendTestNotification(actor, { channel: 'push' });
    expect(received()).toMatchObject([{ title: 'Test notification' }]);
  });

  test('says why it failed, and ends at ten an hour', async () => {
    const { actor } = await pushedMember();
    service.answerWith(403);
    const failed = sendTestNotification(actor, { channel: 'push' });
    await expect(failed).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('403') });
    const elsewhere = sendTestNotification({ ...actor, sessionId: uuidv7() }, { channel: 'push' });
    await expect(elsewhere).rejects.toMatchObject({ message: 'Turn on notifications in this browser first.' });
    await expect(sendTestNotification(actor, { channel: 'email' })).rejects.toMatchObject({ code: 'conflict' });
    service.answerWith(201);
    for (let count = 4; count <= 10; count++) await sendTestNotification(actor, { channel: 'push' });
    const limited = sendTestNotification(actor, { channel: 'push' });
    await expect(limited).rejects.toMatchObject({ code: 'rate_limit_exceeded', headers: { 'Retry-After': expect.any(String) } });
  });
});

test('the key of an installation follows from its secret', () => {
  const keys = vapidKeys();
  expect(vapidKeys()).toEqual(keys);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(keys.privateKey, 'base64url'));
  expect(pair.getPublicKey('base64url')).toBe(keys.publicKey);
  overrideEnv({ AUTH_SECRET: 'y'.repeat(32) });
  expect(vapidKeys().publicKey).not.toBe(keys.publicKey);
  overrideEnv({ AUTH_SECRET: 'x'.repeat(32) });
});
