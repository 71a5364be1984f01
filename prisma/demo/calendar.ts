import { type CreateEventRequest, createEventInput } from '@/server/features/calendar/calendar.schema';
import { createEvent, updateEvent } from '@/server/features/calendar/event.service';
import { renewFeed } from '@/server/features/calendar/feed.service';
import type { Answer } from '@/server/features/calendar/invitee.schema';
import type { SystemActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { instantOf, localTime } from '@/server/platform/ical/zones';
import { demoOwner } from './team';

/** The calendar of Harbor Lane Bicycles: some weeks around the day the demo is first started. */

const timezone = 'Europe/Berlin';
const day = 24 * 3_600_000;
const minute = 60_000;

interface Person {
  email: string;
  displayName: string;
}

interface DemoEvent extends Pick<CreateEventRequest, 'title' | 'description' | 'location' | 'color' | 'recurrence' | 'allDay'> {
  /** Days from the Monday of this week. */
  day: number;
  /** Wall clock, e.g. `09:30`; whole days without. */
  at?: string;
  /** How long, in minutes; of all-day events in days. */
  lasts: number;
  /** For how many weeks a series goes on; for ever without. */
  weeks?: number;
  status?: 'tentative' | 'cancelled';
  meeting?: CreateEventRequest['virtualMeeting'];
  /** How many of the customers' people are invited, and what those have answered who did. */
  guests?: (Answer | null)[];
  roleId?: string;
  reminders?: number[];
}

const video = { provider: 'zoom', url: 'https://zoom.example/j/84512077', password: 'freewheel' } as const;

const demoEvents: readonly DemoEvent[] = [
  {
    title: 'Opening round',
    description: 'Who does what today, which bikes are due, what is missing.',
    location: 'Workshop',
    color: 'green',
    recurrence: 'daily',
    day: -280,
    at: '08:30',
    lasts: 15,
  },
  {
    title: 'Fleet day: dock companies',
    description: 'Up to ten bikes a visit. Take the van, and the box with the 20-inch tubes.',
    location: 'Dock Street 4 to 18',
    color: 'orange',
    recurrence: 'biweekly',
    day: -84 + 2,
    at: '10:00',
    lasts: 240,
    roleId: 'fleet-advisor',
    reminders: [24 * 60],
  },
  {
    title: 'Fleet review',
    description: 'Numbers of the month, kerb damage, next purchases.',
    color: 'purple',
    recurrence: 'monthly',
    day: -60,
    at: '15:00',
    lasts: 60,
    meeting: video,
    guests: ['accepted', 'accepted', null],
    roleId: 'fleet-advisor',
    reminders: [30],
  },
  {
    title: 'Parts order',
    description: 'Before four, or the lorry leaves without it.',
    color: 'blue',
    recurrence: 'weekly',
    day: -140 + 1,
    at: '14:30',
    lasts: 45,
  },
  { title: 'Book-keeping', color: 'purple', recurrence: 'monthly', day: -200, at: '17:00', lasts: 90 },
  {
    title: 'Stocktaking',
    description: 'All 288 drawers.',
    color: 'red',
    recurrence: 'yearly',
    day: -360 + 40,
    lasts: 2,
    allDay: true,
  },
  { title: 'Ilse on holiday', color: 'green', day: 8, lasts: 5, allDay: true },
  { title: 'Late opening until eight', color: 'green', recurrence: 'weekly', day: 3, at: '18:00', lasts: 120, weeks: 8 },
  {
    title: 'Test ride, long-tail cargo bike',
    description: 'With two children. Have the footrests fitted.',
    location: 'Yard',
    color: 'blue',
    day: 0,
    at: '11:00',
    lasts: 45,
    guests: ['accepted'],
    roleId: 'inbox-manager',
    reminders: [60],
  },
  { title: 'Overhaul hand-over', location: 'Front desk', color: 'blue', day: 0, at: '16:30', lasts: 30, guests: [null] },
  {
    title: 'Bike fitting',
    description: 'Saddle, bars, cleats. Bring the shoes you ride in.',
    location: 'Fitting room',
    color: 'blue',
    day: 1,
    at: '09:30',
    lasts: 90,
    guests: ['accepted'],
    roleId: 'inbox-manager',
    reminders: [24 * 60, 60],
  },
  {
    title: 'Insurance: damaged courier bike',
    description: 'Estimate and pictures before the call.',
    color: 'red',
    day: 1,
    at: '10:30',
    lasts: 30,
    meeting: { provider: 'teams', url: 'https://teams.example/meet/3391' },
    guests: ['tentative'],
  },
  {
    title: 'Job interview, second mechanic',
    location: 'Office',
    color: 'purple',
    day: 2,
    at: '13:00',
    lasts: 60,
    guests: ['accepted'],
  },
  {
    title: 'Visit of the cargo bike supplier, with the new models and a price list for spring',
    location: 'Workshop and yard',
    color: 'orange',
    day: 3,
    at: '10:00',
    lasts: 120,
    guests: ['accepted', 'declined', null, 'tentative'],
    reminders: [60],
  },
  {
    title: 'Lunch with the harbour association',
    location: 'Kaffee am Kai',
    color: 'green',
    day: 3,
    at: '12:30',
    lasts: 75,
    status: 'tentative',
  },
  {
    title: 'Repair course for beginners',
    description: 'Tubes, brakes, gears. Six places.\n\nhttps://harborlane.example/courses',
    location: 'Workshop',
    color: 'orange',
    day: 4,
    at: '17:30',
    lasts: 150,
    guests: ['accepted', 'accepted', 'accepted', 'declined', null, null],
    reminders: [24 * 60],
  },
  { title: 'Window cleaning', color: 'blue', day: 4, at: '07:30', lasts: 45, status: 'cancelled' },
  { title: 'Saturday sale of used bikes', location: 'Yard', color: 'red', day: 5, at: '10:00', lasts: 300 },
  { title: 'Van inspection', location: 'Garage Petersen', color: 'red', day: 7, at: '08:00', lasts: 60, reminders: [24 * 60] },
  {
    title: 'Fleet offer, 24 bikes',
    description: 'Offer and leasing figures, then questions.',
    color: 'orange',
    day: 9,
    at: '11:00',
    lasts: 60,
    meeting: { provider: 'google_meet', url: 'https://meet.example/fleet-24' },
    guests: [null, 'accepted'],
    roleId: 'fleet-advisor',
    reminders: [30],
  },
  { title: 'Electrician', location: 'Cellar', color: 'red', day: -5, at: '13:00', lasts: 120 },
  { title: 'Test ride, folding bike', color: 'blue', day: -4, at: '15:00', lasts: 45, guests: ['declined'] },
];

function timesOf({ day: offset, at, lasts, allDay }: DemoEvent, monday: number) {
  const [hours = 0, minutes = 0] = (at ?? '00:00').split(':').map(Number);
  const start = monday + offset * day + (hours * 60 + minutes) * minute;
  const end = start + lasts * (allDay ? day : minute);
  return {
    startTime: new Date(instantOf(start, timezone)).toISOString(),
    endTime: new Date(instantOf(end, timezone)).toISOString(),
  };
}

/** As people say it: `1 hour`, not `60 minutes`. */
function reminderOf(minutes: number) {
  const [value, unit] =
    minutes % 1440 === 0 ? [minutes / 1440, 'days'] : minutes % 60 === 0 ? [minutes / 60, 'hours'] : [minutes, 'minutes'];
  return { type: 'email', value, unit };
}

function mondayOfThisWeek(): number {
  const today = Math.floor(localTime(Date.now(), timezone) / day) * day;
  return today - ((new Date(today).getUTCDay() + 6) % 7) * day;
}

async function known(actor: SystemActor): Promise<Set<string>> {
  const found = await rows<{ title: string }>(pool(), {
    text: 'SELECT title FROM calendar_events WHERE identity_id = $1',
    values: [actor.identityId],
  });
  return new Set(found.map(({ title }) => title));
}

/** All were invited some days ago; who answered did so some hours ago, one after the other. */
async function answer(eventId: string, guests: readonly (Answer | null)[]): Promise<void> {
  await pool().query(`UPDATE calendar_invitees SET invited_at = now() - interval '3 days' WHERE event_id = $1`, [eventId]);
  for (const [index, response] of guests.entries()) {
    if (response === null) continue;
    await pool().query(
      `UPDATE calendar_invitees SET response = $3, answered_by = $4, answered_at = now() - ($2::int + 1) * interval '7 hours'
       WHERE event_id = $1 AND position = $2::int + 1`,
      [eventId, index, response, index % 2 === 0 ? 'link' : 'mail'],
    );
  }
}

/** @param people of customers; each event invites the next ones. */
export async function seedCalendar(
  actor: SystemActor,
  people: readonly Person[],
  agents: ReadonlyMap<string, string>,
): Promise<void> {
  const there = await known(actor);
  const monday = mondayOfThisWeek();
  let next = 0;
  for (const event of demoEvents) {
    const { title, description, location, color, recurrence, allDay, guests = [], meeting, weeks, reminders = [] } = event;
    const invited = people.slice(next, next + guests.length);
    next += guests.length;
    if (there.has(title)) continue;
    const input = createEventInput.parse({
      title,
      description,
      location,
      color,
      recurrence,
      allDay,
      timezone,
      ...timesOf(event, monday),
      ...(weeks === undefined
        ? {}
        : { recurrenceEndDate: new Date(monday + (event.day + weeks * 7) * day).toISOString().slice(0, 10) }),
      virtualMeeting: meeting,
      agentId: event.roleId === undefined ? undefined : agents.get(event.roleId),
      reminders: reminders.map(reminderOf),
      invitees: invited.map(({ email, displayName }) => ({ email, name: displayName })),
    });
    const { event: created } = await createEvent(actor, input);
    await answer(created.id, guests);
    if (event.status) await updateEvent(actor, { eventId: created.id, status: event.status });
  }
  await renewFeed(await demoOwner(actor));
}
