import * as z from 'zod';
import { recordId, timestamp, uuid, webAddress } from '@/server/platform/fields.schema';

/** What members are notified of. */
export const notificationKinds = [
  'assigned',
  'mentioned',
  'escalation',
  'failed_email',
  'snooze_ended',
  'mailbox',
  'storage',
] as const;

export type NotificationKind = (typeof notificationKinds)[number];

const mailChoices = ['off', 'immediately', 'daily'] as const;

export type MailChoice = (typeof mailChoices)[number];

const channelsSchema = z.object({ inApp: z.boolean(), email: z.enum(mailChoices), push: z.boolean() });

/** Where one kind of notification appears. */
export type Channels = z.output<typeof channelsSchema>;

export type ChannelsByKind = Record<NotificationKind, Channels>;

/** Pushes go to browsers that the person has added, so without one there are none. */
export const defaultChannels: ChannelsByKind = {
  assigned: { inApp: true, email: 'immediately', push: true },
  mentioned: { inApp: true, email: 'immediately', push: true },
  escalation: { inApp: true, email: 'immediately', push: true },
  failed_email: { inApp: true, email: 'daily', push: true },
  snooze_ended: { inApp: true, email: 'off', push: true },
  mailbox: { inApp: true, email: 'immediately', push: true },
  storage: { inApp: true, email: 'immediately', push: true },
};

const byKind = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({
    ...{
      assigned: schema,
      mentioned: schema,
      escalation: schema,
      failed_email: schema,
      snooze_ended: schema,
      mailbox: schema,
      storage: schema,
    },
  });

/** What a member has chosen, as it is stored. */
const storedChannelsSchema = byKind(channelsSchema.partial().optional());

export type StoredChannels = z.output<typeof storedChannelsSchema>;

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 22:00' });

const quietHoursSchema = z
  .object({ from: clockTime, to: clockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'must differ from the start' });

/** From `from` until `to`, which may be on the next day. */
export type QuietHours = z.output<typeof quietHoursSchema>;

export const notificationSettingsSchema = z.object({
  channels: byKind(channelsSchema),
  quietHours: quietHoursSchema.nullable(),
  /** IANA name; null: not chosen, UTC. */
  timeZone: z.string().nullable(),
  /** False without SMTP_URL: nothing is mailed. */
  canSendMail: z.boolean(),
  push: z.object({
    /** What browsers know this installation by (VAPID), in base64url. */
    publicKey: z.string(),
    /** True if the browser that asks is one of `browsers`. */
    isOnHere: z.boolean(),
    /** How many browsers of the person get pushes. */
    browsers: z.int(),
  }),
});

export type NotificationSettings = z.output<typeof notificationSettingsSchema>;

/** Only the given fields change. */
export const updateNotificationSettingsInput = z.object({
  channels: byKind(channelsSchema.partial())
    .partial()
    .refine((channels) => channels.escalation?.inApp !== false, {
      path: ['escalation', 'inApp'],
      error: 'is always on',
    })
    .optional(),
  quietHours: quietHoursSchema.nullable().optional(),
});

export type UpdateNotificationSettingsInput = z.output<typeof updateNotificationSettingsInput>;

export const notificationSchema = z.object({
  id: recordId,
  kind: z.enum(notificationKinds),
  title: z.string(),
  conversationId: recordId.nullable(),
  isRead: z.boolean(),
  createdAt: timestamp,
});

export type NotificationRecord = z.output<typeof notificationSchema>;

export const listNotificationsInput = z.object({
  limit: z.int().min(1).max(100).default(30),
  /** The id of the previous page's last item. */
  before: uuid.optional(),
});

export type ListNotificationsInput = z.output<typeof listNotificationsInput>;

export const notificationListSchema = z.object({
  notifications: z.array(notificationSchema),
  /** `before` of the next page; null on the last one. */
  next: recordId.nullable(),
});

export type NotificationList = z.output<typeof notificationListSchema>;

/** Counting stops at 100. */
export const unreadNotificationsSchema = z.object({ unread: z.int() });

/** Exactly one: some, those about a conversation, or all. */
export const markNotificationsInput = z
  .object({
    ids: z.array(uuid).min(1).max(100).optional(),
    conversationId: uuid.optional(),
    all: z.literal(true).optional(),
  })
  .refine((input) => Object.values(input).filter((value) => value !== undefined).length === 1, {
    path: ['ids'],
    error: 'or conversationId or all is required, and only one of them',
  });

export type MarkNotificationsInput = z.output<typeof markNotificationsInput>;

const base64url = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}=*$`), { error: `must be ${bytes} bytes in base64url` });

/** What `PushSubscription.toJSON()` of a browser gives. */
export const pushSubscriptionInput = z.object({
  endpoint: webAddress,
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
});

export type PushSubscriptionInput = z.output<typeof pushSubscriptionInput>;

export const testNotificationInput = z.object({ channel: z.enum(['email', 'push']) });

export type TestNotificationInput = z.output<typeof testNotificationInput>;
