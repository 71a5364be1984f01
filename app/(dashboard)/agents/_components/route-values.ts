import * as z from 'zod';
import { routeProblems } from '@/server/features/agents/escalation';
import {
  type EscalationChannel,
  type EscalationRoute,
  escalationRouteInput,
  routesMaximum,
  timeoutBounds,
  updateEscalationInput,
} from '@/server/features/agents/escalation.schema';

/** A route as the form holds it: texts that are not set are empty, and minutes are as typed. Paths are those of the procedure. */
export interface RouteValues {
  level: number;
  label: string;
  instructions: string;
  timeoutMins: string;
  toRole: string;
  toUserId: string;
  channels: EscalationChannel[];
  contactInfo: { email: string; phone: string; slack: string };
}

export interface RoutesValues {
  routes: RouteValues[];
}

const levelMaximum = escalationRouteInput.shape.level.maxValue ?? Number.MAX_SAFE_INTEGER;

function toRouteValues(route: EscalationRoute): RouteValues {
  return {
    level: route.level,
    label: route.label ?? '',
    instructions: route.instructions ?? '',
    timeoutMins: String(route.timeoutMins),
    toRole: route.toRole ?? '',
    toUserId: route.toUserId ?? '',
    channels: [...route.channels],
    contactInfo: {
      email: route.contactInfo.email ?? '',
      phone: route.contactInfo.phone ?? '',
      slack: route.contactInfo.slack ?? '',
    },
  };
}

/** Stored routes as form values. */
export function toRoutesValues(routes: readonly EscalationRoute[]): RoutesValues {
  return { routes: routes.map(toRouteValues) };
}

const orNull = (text: string) => text.trim() || null;

/** A number as typed; NaN for nothing or anything else, which the schema refuses. */
const toNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

function toRoute(values: RouteValues): EscalationRoute {
  const { label, instructions, contactInfo } = values;
  return {
    level: values.level,
    ...(label.trim() === '' ? {} : { label: label.trim() }),
    ...(instructions.trim() === '' ? {} : { instructions }),
    timeoutMins: toNumber(values.timeoutMins),
    toRole: orNull(values.toRole),
    toUserId: orNull(values.toUserId),
    channels: values.channels,
    contactInfo: { email: orNull(contactInfo.email), phone: orNull(contactInfo.phone), slack: orNull(contactInfo.slack) },
  };
}

/** A route as far as it is typed, for what is shown of it: minutes that are not a sensible number yet count as none. */
export function toDraftRoute(values: RouteValues): EscalationRoute {
  const route = toRoute(values);
  const isWait = route.timeoutMins >= timeoutBounds.minimum && route.timeoutMins <= timeoutBounds.maximum;
  return { ...route, timeoutMins: isWait ? Math.trunc(route.timeoutMins) : 0 };
}

/** What the call sends: all routes, as typed. */
export function toRoutesInput({ routes }: RoutesValues): EscalationRoute[] {
  return routes.map(toRoute);
}

const routesInput = updateEscalationInput.pick({ routes: true });

/** The procedure's own rules for what the form holds, of parts and of the whole at once. */
export const routesSchema = z.custom<RoutesValues>().superRefine((values, context) => {
  const routes = toRoutesInput(values);
  const reported = new Set<string>();
  const report = (path: (string | number)[], message: string) => {
    if (reported.has(path.join('.'))) return;
    reported.add(path.join('.'));
    context.addIssue({ code: 'custom', path, message });
  };
  for (const { path, message } of routesInput.safeParse({ routes }).error?.issues ?? []) report(path.map(asKey), message);
  for (const { index, field, message } of routeProblems(routes))
    report(['routes', index, ...field.split('.').map(asKey)], message);
});

const asKey = (key: PropertyKey): string | number =>
  typeof key === 'number' ? key : /^\d+$/.test(String(key)) ? Number(key) : String(key);

/** The same level numbers, given out in the order in which the routes stand. */
export function inOrder(levels: readonly number[]): number[] {
  return levels.toSorted((a, b) => a - b);
}

/** The number of a level that is added: one above the highest, or the highest that is free where there is no such number. */
export function nextLevel(levels: readonly number[]): number {
  if (levels.length === 0) return 1;
  let level = Math.min(Math.max(...levels) + 1, levelMaximum);
  while (levels.includes(level)) level--;
  return level;
}

/** The number of a level that comes back: its own, unless that was given away meanwhile. */
export function levelAgain(level: number, levels: readonly number[]): number {
  return levels.includes(level) ? nextLevel(levels) : level;
}

/** A level as it is added: it mails, and waits as long as the API's default. */
export function newRoute(levels: readonly number[]): RouteValues {
  return {
    level: nextLevel(levels),
    label: '',
    instructions: '',
    timeoutMins: String(timeoutBounds.default),
    toRole: '',
    toUserId: '',
    channels: ['email'],
    contactInfo: { email: '', phone: '', slack: '' },
  };
}

/** True where no further level may be added. */
export const isFull = (count: number) => count >= routesMaximum;

/** The channels after one of them was switched: those chosen before keep their order. */
export function withChannel(
  channels: readonly EscalationChannel[],
  channel: EscalationChannel,
  isOn: boolean,
): EscalationChannel[] {
  const others = channels.filter((other) => other !== channel);
  return isOn ? [...others, channel] : others;
}
