import { isSame } from '@/app/_kit/is-same';
import { announcedFields, type EventRecord, type UpdateEventRequest } from '@/server/features/calendar/calendar.schema';
import { counted } from './event-labels';
import { type EventValues, type InviteeValues, toRequest } from './event-values';

export type EventPatch = Omit<UpdateEventRequest, 'eventId' | 'ifRevision' | 'notifyAttendeesOfChanges'>;

/**
 * The changes in the form as a request. Both sides are form values: what the form can't represent exactly, such as seconds or
 * the second of two repeated hours in autumn, stays stored unless it is changed.
 */
export function patchOf(before: EventValues, after: EventValues): EventPatch {
  const [from, to] = [toRequest(before), toRequest(after)];
  const patch: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(to)) {
    if (!isSame(value, from[field as keyof typeof from])) patch[field] = value;
  }
  // In another zone or kind of day, the same clock times are other moments.
  if ('timezone' in patch || 'allDay' in patch) Object.assign(patch, { startTime: to.startTime, endTime: to.endTime });
  if (before.status !== after.status) patch.status = after.status;
  return patch;
}

export interface MailPlan {
  /** Invitees who were invited before and still are. */
  known: number;
  /** New invitees, who are mailed an invitation on saving. */
  added: number;
  /** Removed invitees, who are mailed only on request. */
  removed: number;
  /** True if earlier invitees would see a difference, or would now be invited. */
  affectsInvitees: boolean;
}

interface MailPlanOptions {
  /** The stored event; null for a new one. */
  event: Pick<EventRecord, 'invitees'> | null;
  values: EventValues;
  patch: EventPatch;
  /** The business' own address, which is never mailed. */
  ownAddress: string | null;
}

/** Determines whom saving would mail. */
export function mailPlan({ event, values, patch, ownAddress }: MailPlanOptions): MailPlan {
  const others = <Invitee extends { email: string }>(list: readonly Invitee[]) =>
    list.filter(({ email }) => email !== ownAddress);
  const before = new Set(others((event?.invitees ?? []).filter(({ isOrganizer }) => !isOrganizer)).map(({ email }) => email));
  const now = new Set(others(values.invitees).map(({ email }) => email));
  const known = [...now].filter((email) => before.has(email)).length;
  const removed = [...before].filter((email) => !now.has(email)).length;
  const organizers = new Set((event?.invitees ?? []).filter(({ isOrganizer }) => isOrganizer).map(({ email }) => email));
  const fresh = [...now].filter((email) => !before.has(email) && !organizers.has(email)).length;
  const isInviting = values.sendEmailReminders && values.status !== 'cancelled';
  const isSeen = announcedFields.some((field) => field in patch);
  // Earlier invitees are mailed an invitation only on request.
  const isInvitedLate = patch.sendEmailReminders === true && (event?.invitees ?? []).some(({ invitedAt }) => invitedAt === null);
  return {
    known,
    added: isInviting ? fresh : 0,
    removed,
    affectsInvitees: removed > 0 || (known > 0 && (isSeen || isInvitedLate)),
  };
}

function mergedInvitees(base: readonly InviteeValues[], mine: readonly InviteeValues[], theirs: readonly InviteeValues[]) {
  const find = (list: readonly InviteeValues[], email: string) => list.find((invitee) => invitee.email === email);
  const kept = theirs.filter(({ email }) => find(mine, email) || !find(base, email));
  const merged = kept.map((invitee) => {
    const own = find(mine, invitee.email);
    return own && !isSame(own, find(base, invitee.email)) ? own : invitee;
  });
  const added = mine.filter(({ email }) => !find(theirs, email) && !find(base, email));
  return [...merged, ...added];
}

const timeFields = ['allDay', 'startDate', 'startTime', 'endDate', 'endTime', 'timezone'] as const;

/**
 * Applies typed changes to a newer version of the event: untouched fields take the newer values. Dates and times are merged
 * together; invitees added or removed here are added to or removed from the newer list.
 */
export function rebased(base: EventValues, mine: EventValues, theirs: EventValues): EventValues {
  const merged: EventValues = { ...theirs };
  const take = (field: keyof EventValues) => Object.assign(merged, { [field]: mine[field] });
  for (const field of Object.keys(mine) as (keyof EventValues)[]) {
    if (!isSame(base[field], mine[field])) take(field);
  }
  if (timeFields.some((field) => base[field] !== mine[field])) timeFields.forEach(take);
  merged.invitees = mergedInvitees(base.invitees, mine.invitees, theirs.invitees);
  return merged;
}

/** The label of the save button. Whether earlier invitees are mailed is asked later. */
export function saveLabel({ plan, isNew }: { plan: MailPlan; isNew: boolean }): string {
  if (plan.added === 0) return 'Save';
  const invitations = counted(plan.added, 'invitation');
  return isNew ? `Send ${invitations}` : `Save and send ${invitations}`;
}
