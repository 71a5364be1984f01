import type * as z from 'zod';
import type { KeyScope } from '@/server/platform/auth/scopes.schema';

/** The events of one kind of object, declared by the feature that owns it (contract section 11). */
export interface EventKind<Schema extends z.ZodType = z.ZodType, Type extends string = string> {
  /** The kind of object, for example `customer`. */
  object: string;
  /** What GET answers for it. */
  schema: Schema;
  /** What a key needs to read the object, and so its events. */
  access: { scope: KeyScope; notForAgents?: true };
  /** Its types of events, each with a description. */
  types: Readonly<Record<Type, string>>;
  /** Where it can be read below /api/v1; used for objects that are too large for the log. */
  path: (id: string, object: z.output<Schema>) => string;
  /** Replaces secrets before an object gets into the log. */
  mask?: (object: z.output<Schema>) => z.output<Schema>;
  /** An object for documentation and test deliveries; that of the schema's metadata by default. */
  example?: z.output<Schema>;
}

/** Declares the events of one kind of object. */
export function eventKind<Schema extends z.ZodType, const Type extends string>(
  kind: EventKind<Schema, Type>,
): EventKind<Schema, Type> {
  return kind;
}

/**
 * All patterns that a type matches: `*`, its own name, and `<prefix>.*` for each of its prefixes. For `blog.post.created`: `*`,
 * `blog.*`, `blog.post.*` and `blog.post.created`.
 */
export function patternsOf(type: string): string[] {
  const parts = type.split('.');
  const prefixes = parts.slice(0, -1).map((_part, index) => `${parts.slice(0, index + 1).join('.')}.*`);
  return ['*', ...prefixes, type];
}

/** An object of a kind for documentation and test deliveries. */
export function exampleOf({ object, schema, example }: EventKind): unknown {
  const [first] = (schema.meta()?.examples as unknown[] | undefined) ?? [];
  const found = example ?? first;
  if (found === undefined) throw new Error(`events of ${object} have no example`);
  return found;
}
