/** Longest values, in characters, and how many there may be. */
export const eventLimits = {
  title: 500,
  description: 20_000,
  location: 1_000,
  meetingPassword: 255,
  inviteeName: 200,
  invitees: 200,
  reminders: 10,
  /** How long before an event a reminder may be due, in minutes: a year. */
  reminderMinutes: 366 * 24 * 60,
};
