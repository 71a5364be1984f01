import type { PersonalClock } from './due-times';
import {
  type ChannelsByKind,
  defaultChannels,
  notificationKinds,
  type QuietHours,
  type StoredChannels,
} from './notification.schema';

/** Columns of settings `s`, of which there may be none, and of their member `u`. */
export const settingsColumns = `coalesce(s.channels, '{}') AS channels, s.quiet_from AS "quietFrom", s.quiet_to AS "quietTo",
  u.time_zone AS "timeZone", EXISTS (SELECT 1 FROM push_subscriptions p WHERE p.user_id = u.id) AS "hasBrowser"`;

export interface SettingsRow {
  channels: StoredChannels;
  quietFrom: string | null;
  quietTo: string | null;
  timeZone: string | null;
  /** True if a browser of theirs gets pushes. */
  hasBrowser: boolean;
}

/** What a member has chosen, with the defaults of the rest. An escalation always reaches the page (contract section 18). */
export function channelsOf({ channels }: Pick<SettingsRow, 'channels'>): ChannelsByKind {
  const all = notificationKinds.map((kind) => [kind, { ...defaultChannels[kind], ...channels[kind] }]);
  const chosen = Object.fromEntries(all) as ChannelsByKind;
  return { ...chosen, escalation: { ...chosen.escalation, inApp: true } };
}

export function quietHoursOf({ quietFrom: from, quietTo: to }: Pick<SettingsRow, 'quietFrom' | 'quietTo'>): QuietHours | null {
  return from !== null && to !== null ? { from, to } : null;
}

export function clockOf(row: SettingsRow): PersonalClock {
  return { zone: row.timeZone ?? 'UTC', quietHours: quietHoursOf(row) };
}
