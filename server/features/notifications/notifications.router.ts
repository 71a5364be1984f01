import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { dashboardProcedure, router, successOf } from '@/server/platform/trpc/trpc';
import {
  listNotificationsInput,
  markNotificationsInput,
  notificationListSchema,
  notificationSettingsSchema,
  pushSubscriptionInput,
  testNotificationInput,
  unreadNotificationsSchema,
  updateNotificationSettingsInput,
} from './notification.schema';
import { countUnread, listNotifications, markNotificationsRead } from './notification.service';
import { subscribeBrowser, unsubscribeBrowser } from './push.service';
import { getNotificationSettings, updateNotificationSettings } from './settings.service';
import { sendTestNotification } from './test-notification.service';

/** Each member's own, so every role may read and change them. */
export const notificationsRouter = router({
  list: dashboardProcedure
    .meta({ scope: 'conversations:read' })
    .input(listNotificationsInput)
    .output(notificationListSchema)
    .query(({ ctx, input }) => listNotifications(ctx.actor, input)),

  unread: dashboardProcedure
    .meta({ scope: 'conversations:read' })
    .input(z.object({}))
    .output(unreadNotificationsSchema)
    .query(({ ctx }) => countUnread(ctx.actor)),

  markRead: dashboardProcedure
    .meta({ scope: 'conversations:read', events: [] })
    .input(markNotificationsInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(markNotificationsRead(ctx.actor, input))),

  settings: dashboardProcedure
    .meta({ scope: 'conversations:read' })
    .input(z.object({}))
    .output(notificationSettingsSchema)
    .query(({ ctx }) => getNotificationSettings(ctx.actor)),

  updateSettings: dashboardProcedure
    .meta({ scope: 'conversations:read', events: [] })
    .input(updateNotificationSettingsInput)
    .output(notificationSettingsSchema)
    .mutation(({ ctx, input }) => updateNotificationSettings(ctx.actor, input)),

  subscribe: dashboardProcedure
    .meta({ scope: 'conversations:read', events: [] })
    .input(pushSubscriptionInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(subscribeBrowser(ctx.actor, input))),

  unsubscribe: dashboardProcedure
    .meta({ scope: 'conversations:read', events: [] })
    .input(z.object({}))
    .output(successSchema)
    .mutation(({ ctx }) => successOf(unsubscribeBrowser(ctx.actor))),

  sendTest: dashboardProcedure
    .meta({ scope: 'conversations:read', events: [] })
    .input(testNotificationInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(sendTestNotification(ctx.actor, input))),
});
