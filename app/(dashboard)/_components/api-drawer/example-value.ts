import type { JsonSchema } from './api-document';

type Components = Readonly<Record<string, JsonSchema>>;

/** The context that examples are generated in. */
export interface ExampleContext {
  components: Components;
  /** Known values, by field name. */
  values: Readonly<Record<string, unknown>>;
  /** Current time in milliseconds; examples of times are tomorrow. */
  now: number;
}

/** How many optional fields an example includes. */
const optionalMaximum = 2;

function resolved(schema: JsonSchema, components: Components): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components[name] ?? {});
}

/** `displayName` → `Display name`. */
function wordsOf(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Nine o'clock tomorrow; an hour later for the end of something. */
function timeOf(name: string, now: number): string {
  const day = 24 * 3_600_000;
  const hour = /^(end|to|until)/i.test(name) ? 10 : 9;
  return new Date(Math.floor(now / day) * day + day + hour * 3_600_000).toISOString();
}

function textOf(name: string, format: string | undefined, now: number): string {
  switch (format) {
    case 'date-time':
      return timeOf(name, now);
    case 'date':
      return timeOf(name, now).slice(0, 10);
    case 'email':
      return 'ann@example.com';
    case 'uuid':
      return placeholderOf(name);
    case 'uri':
      return 'https://example.com/';
    default:
      return wordsOf(name);
  }
}

/** The placeholder for a value that only the caller knows: `attachmentId` → `ATTACHMENT_ID`. */
export function placeholderOf(name: string): string {
  return name.replaceAll(/([A-Z])/g, '_$1').toUpperCase();
}

/** Picks one schema out of several: the first that is specific and is not null. */
function chosen(schemas: readonly JsonSchema[], components: Components): JsonSchema {
  const real = schemas.map((schema) => resolved(schema, components));
  return (
    real.find(({ type, const: only, anyOf, oneOf }) => only === undefined && type !== 'null' && (type ?? anyOf ?? oneOf)) ?? {}
  );
}

function objectOf({ properties = {}, required = [] }: JsonSchema, context: ExampleContext): Record<string, unknown> {
  const names = Object.keys(properties);
  const wanted = names.filter((name) => required.includes(name));
  const informative = names.filter((name) => !wanted.includes(name) && (properties[name]?.examples || name in context.values));
  const chosenNames = [...wanted, ...informative.slice(0, optionalMaximum)];
  if (chosenNames.length === 0) chosenNames.push(...names.slice(0, 1));
  return Object.fromEntries(
    names.filter((name) => chosenNames.includes(name)).map((name) => [name, exampleOf(properties[name] ?? {}, name, context)]),
  );
}

/** Generates a value that fits a schema, guided by the name of the field it is for. */
export function exampleOf(given: JsonSchema, name: string, context: ExampleContext): unknown {
  const schema = resolved(given, context.components);
  if (name in context.values) return context.values[name];
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) return exampleOf(chosen(alternatives, context.components), name, context);
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema, context);
    case 'array':
      return [exampleOf(schema.items ?? {}, name.replace(/s$/, ''), context)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    default:
      return textOf(name, schema.format, context.now);
  }
}
