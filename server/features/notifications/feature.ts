import { feature } from '@/server/platform/feature';
import { notificationDeliveryJobs, notificationJobs } from './notification-jobs.service';
import { notificationsRouter } from './notifications.router';

export const notifications = feature({
  name: 'notifications',
  routers: { notifications: notificationsRouter },
  jobs: [notificationDeliveryJobs, notificationJobs],
  tables: [{ names: ['notifications', 'notification_settings', 'push_subscriptions'] }],
});
