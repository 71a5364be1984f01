import * as z from 'zod';
import { toNumber, toPath } from '@/app/_kit/form-values';
import { routeProblems } from '@/server/features/agents/escalation';
import {
  type EscalationChannel,
  type EscalationRoute,
  escalationRouteInput,
  routesMaximum,
  timeoutBounds,
  updateEscalationInput,
} from '@/server/features/agents/escalation.schema';

/** A route as form values: unset texts are empty, minutes are as typed. Paths match the procedure. */
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

/** A route from unvalidated values, for display: invalid minutes count as none. */
export function toDraftRoute(values: RouteValues): EscalationRoute {
  const route = toRoute(values);
  const isWait = route.timeoutMins >= timeoutBounds.minimum && route.timeoutMins <= timeoutBounds.maximum;
  return { ...route, timeoutMins: isWait ? Math.trunc(route.timeoutMins) : 0 };
}

/** The request: all routes, as typed. */
export function toRoutesInput({ routes }: RoutesValues): EscalationRoute[] {
  return routes.map(toRoute);
}

const routesInput = updateEscalationInput.pick({ routes: true });

/** The procedure's rules, applied to each part and to the whole. */
export const routesSchema = z.custom<RoutesValues>().superRefine((values, context) => {
  const routes = toRoutesInput(values);
  const reported = new Set<string>();
  const report = (path: string, message: string) => {
    if (reported.has(path)) return;
    reported.add(path);
    context.addIssue({ code: 'custom', path: toPath(path), message });
  };
  for (const { path, message } of routesInput.safeParse({ routes }).error?.issues ?? []) report(path.join('.'), message);
  for (const { index, field, message } of routeProblems(routes)) report(`routes.${index}.${field}`, message);
});

/** The same level numbers, reassigned in the order of the routes. */
export function inOrder(levels: readonly number[]): number[] {
  return levels.toSorted((a, b) => a - b);
}

/** The number of a new level: one above the highest, or the highest free one. */
export function nextLevel(levels: readonly number[]): number {
  if (levels.length === 0) return 1;
  let level = Math.min(Math.max(...levels) + 1, levelMaximum);
  while (levels.includes(level)) level--;
  return level;
}

/** The number of a restored level: its previous one, unless that is taken. */
export function restoredLevel(level: number, levels: readonly number[]): number {
  return levels.includes(level) ? nextLevel(levels) : level;
}

/** A new step: by email, with the API's default wait. */
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

/** True if no further level may be added. */
export const isFull = (count: number) => count >= routesMaximum;

/** The channels after toggling one; the others keep their order. */
export function withChannel(
  channels: readonly EscalationChannel[],
  channel: EscalationChannel,
  isOn: boolean,
): EscalationChannel[] {
  const others = channels.filter((other) => other !== channel);
  return isOn ? [...others, channel] : others;
}
