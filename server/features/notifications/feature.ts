import { feature } from '@/server/platform/feature';
import { notificationDelivery, removeOldNotifications } from './notification-jobs.service';
import { notificationsRouter } from './notifications.router';

export const notifications = feature({
  name: 'notifications',
  routers: { notifications: notificationsRouter },
  jobs: [notificationDelivery],
  removals: [removeOldNotifications],
  tables: [{ names: ['notifications', 'notification_settings', 'push_subscriptions'] }],
});
