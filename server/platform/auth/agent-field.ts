import type { Actor } from '../actor';

/**
 * Fills in the agent of what an agent's key creates. `field` is the input's field for it, or `list.*.field` for that of each item
 * of a list. A value that was sent stays, null included.
 */
export function asAgent(actor: Actor | null, field: string | undefined, input: unknown): unknown {
  if (field === undefined || actor?.kind !== 'apiKey' || actor.agent === null) return input;
  const { id } = actor.agent;
  const [name = '', ofItems] = field.split('.*.');
  if (ofItems === undefined) return withDefault(input, name, id);
  const items = isRecord(input) ? input[name] : undefined;
  return Array.isArray(items) ? { ...(input as object), [name]: items.map((item) => withDefault(item, ofItems, id)) } : input;
}

function withDefault(value: unknown, name: string, id: string): unknown {
  return isRecord(value) && value[name] === undefined ? { ...value, [name]: id } : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
