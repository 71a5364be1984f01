import type { PreviousValues } from '@/server/features/audit/previous-values.schema';

type Change = NonNullable<PreviousValues['change']>;
type Value = Change['values'][number];

/** The key of a value among those of its change. */
export const keyOf = ({ path }: Value): string => path.join('.');

/** The request that restores the chosen values: each at its path, besides what it contains in any case. */
export function restoreRequest({ constant, values }: Change, chosen: ReadonlySet<string>): Record<string, unknown> {
  const request: Record<string, unknown> = { ...constant };
  for (const value of values) {
    if (!chosen.has(keyOf(value))) continue;
    const [name = '', member] = value.path;
    request[name] = member === undefined ? value.previous : { ...(request[name] as object), [member]: value.previous };
  }
  return request;
}
