/** Maximum lengths, in characters, and maximum counts. */
export const eventLimits = {
  title: 500,
  description: 20_000,
  location: 1_000,
  meetingPassword: 255,
  inviteeName: 200,
  invitees: 200,
  reminders: 10,
  /** Longest lead time of a reminder, in minutes: a year. */
  reminderMinutes: 366 * 24 * 60,
};
