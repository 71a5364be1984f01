import { prisma } from '@/server/platform/db/prisma';
import { transaction } from '@/server/platform/db/transaction';
import type { Examples } from '@/server/testing/examples';
import { createTestBrowser } from '@/server/testing/push';
import { sessionCookieOf } from '@/server/testing/session';
import { notify } from '../notification.service';

export const examples: Examples = {
  own: {
    'notifications.markRead': () => [{ all: true }],
    'notifications.updateSettings': () => [{ channels: { assigned: { email: 'daily' } } }],
    'notifications.subscribe': async (own) => {
      await sessionCookieOf(own);
      return [createTestBrowser('https://8.8.8.8/push').subscription];
    },
    'notifications.sendTest': () => [{ channel: 'email' }],
  },
  foreign: {
    'notifications.list': ({ notificationId }) => [{}, { before: notificationId }],
    'notifications.markRead': ({ notificationId, conversationId }) => [
      { ids: [notificationId] },
      { conversationId },
      { all: true },
    ],
    'notifications.updateSettings': () => [
      { channels: { assigned: { email: 'off' } }, quietHours: { from: '22:00', to: '07:00' } },
    ],
    // The browser of theirs.
    'notifications.subscribe': ({ marker }) => [createTestBrowser(`https://8.8.8.8/${marker}`).subscription],
    'notifications.sendTest': () => [{ channel: 'email' }, { channel: 'push' }],
  },
  withoutRecords: ['notifications.unread', 'notifications.settings'],
  async fill({ actor: { userId, sessionId }, identityId, known: { conversationId = '', marker }, words }) {
    const assigned = { identityId, kind: 'assigned', conversationId, title: () => words, recipients: [userId] } as const;
    const author = { kind: 'system', cause: 'upkeep' } as const;
    await transaction(author, (client) => notify(client, { ...assigned, dedupeKey: marker }, author));
    const { id } = await prisma().notification.findFirstOrThrow({ where: { identityId } });
    await prisma().notificationSettings.create({ data: { identityId, userId } });
    const browser = { userId, sessionId, endpoint: `https://8.8.8.8/${marker}`, p256dh: '', auth: '' };
    await prisma().pushSubscription.create({ data: browser });
    return { notificationId: id };
  },
  unaudited: ['notification_settings', 'notifications', 'push_subscriptions'],
  reference: ['push_subscriptions'],
};
