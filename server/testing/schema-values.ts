import fc from 'fast-check';
import type { JsonSchema } from './contract';

/** Generates values for the JSON Schema keywords that our document uses. A new keyword throws here instead of being ignored. */

/** Keywords that do not affect validity. */
const silent = new Set(['description', 'default', 'examples', 'example', 'deprecated', 'title', '$schema', '$defs', 'readOnly']);
const known = new Set([
  ...['$ref', 'anyOf', 'oneOf', 'enum', 'const', 'type', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['items', 'minItems', 'maxItems', 'properties', 'required', 'additionalProperties', 'propertyNames'],
]);

export interface ValueOptions {
  /** By name, for `$ref`. */
  schemas: Readonly<Record<string, JsonSchema>>;
  /** Existing ids, used occasionally for UUIDs. */
  ids?: readonly string[];
  /** Values used mostly for fields of these names, if random values would rarely be useful. */
  likely?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

/** A field's value: mostly a likely one, occasionally any that its schema allows. */
export function fieldValues(name: string, schema: JsonSchema, options: ValueOptions): fc.Arbitrary<unknown> {
  const any = valuesOf(schema, options);
  const likely = options.likely?.[name];
  return likely ? fc.oneof({ weight: 9, arbitrary: likely }, { weight: 1, arbitrary: any }) : any;
}

const seconds = (from: string, to: string) => fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true });
const offsets = fc.constantFrom('Z', 'Z', '+02:00', '-11:30', '+00:00');

const dateTimes = fc.oneof(
  { weight: 6, arbitrary: seconds('2025-01-01', '2027-12-31').map((date) => date.toISOString()) },
  fc.tuple(seconds('0002-01-01', '9998-12-31'), offsets).map(([date, offset]) => date.toISOString().replace('Z', offset)),
  fc.tuple(seconds('2025-01-01', '2027-12-31'), offsets).map(([date, offset]) => date.toISOString().replace(/\.\d+Z$/, offset)),
  fc.constantFrom('2026-11-24t09:00:00z', '2026-11-24T09:00:00.123456789Z', '2024-02-29T23:59:59+14:00'),
);

const dates = seconds('0002-01-01', '9998-12-31').map((date) => date.toISOString().slice(0, 10));

/** Common email addresses; the tests of the address schema cover the rest of RFC 5322. */
const emails = fc
  .tuple(fc.stringMatching(/^[a-z0-9][a-z0-9_+-]{0,20}$/), fc.stringMatching(/^[a-z][a-z0-9]{0,12}$/))
  .map(([name, domain]) => `${name}@${domain}.example`);

/** Maximum length of texts: more than most fields allow, and in a query still less than the limit of headers. */
const longest = 300;

/** Any text that can be stored: no NUL, no lone surrogates. */
function texts(minimum: number, maximum: number): fc.Arbitrary<string> {
  const short = Math.min(maximum, 40);
  const some = { minLength: Math.min(minimum, short), maxLength: short };
  const any = fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: 'grapheme', ...some }).map((text) => `a${text}`) },
    { weight: 4, arbitrary: fc.string({ unit: 'binary', ...some }).map((text) => `b${text}`) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', ...some }) },
    fc.constantFrom('😀', 'é', 'x', "'", '\\').map((unit) => unit.repeat(Math.max(minimum, Math.min(maximum, longest)))),
  );
  return any
    .map((text) => [...text.replaceAll('\0', '0')].slice(0, maximum).join(''))
    .filter((text) => [...text].length >= minimum);
}

function strings(schema: JsonSchema, { ids = [] }: ValueOptions): fc.Arbitrary<string> {
  const { format, pattern } = schema;
  const minimum = (schema.minLength as number | undefined) ?? 0;
  const maximum = (schema.maxLength as number | undefined) ?? longest;
  if (format === 'uuid') return ids.length > 0 ? fc.oneof(fc.uuid(), fc.constantFrom(...ids)) : fc.uuid();
  if (format === 'email') return emails;
  if (format === 'date-time') return dateTimes;
  if (format === 'date') return dates;
  if (format !== undefined) throw new Error(`strings of the format ${String(format)} need values in schema-values.ts`);
  if (pattern === undefined) return texts(minimum, maximum);
  return fc
    .stringMatching(new RegExp(pattern as string), { maxLength: Math.min(maximum, 200) })
    .filter((text) => text.length >= minimum && text.length <= maximum && !/[\0\ud800-\udfff]/.test(text));
}

function numbers(schema: JsonSchema): fc.Arbitrary<number> {
  const min = (schema.minimum as number | undefined) ?? -1e9;
  const max = (schema.maximum as number | undefined) ?? 1e9;
  const near = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, min + 1000)) });
  const bounds = fc.constantFrom(min, max);
  if (schema.type === 'integer') return fc.oneof(near, fc.integer({ min: Math.ceil(min), max: Math.floor(max) }), bounds);
  return fc.oneof(
    near,
    fc.double({ min, max, noNaN: true }).map((value) => Math.round(value * 100) / 100),
    bounds,
  );
}

const names = fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).filter((name) => name !== '__proto__');

/** Any JSON that can be stored. */
const storableJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(texts(0, 40), fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true, min: -1e9, max: 1e9 })),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

function objects(schema: JsonSchema, options: ValueOptions): fc.Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema.required ?? []) as string[];
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, fieldValues(name, property, options)]),
  );
  const own = fc.record(model, { requiredKeys: required, noNullPrototype: true });
  const { additionalProperties: others } = schema;
  if (others === undefined || others === false) return own;
  const value =
    typeof others === 'object' && Object.keys(others as object).length > 0
      ? valuesOf(others as JsonSchema, options)
      : storableJson;
  return fc
    .tuple(own, fc.dictionary(names, value, { maxKeys: 3, noNullPrototype: true }))
    .map(([record, more]) => ({ ...more, ...record }));
}

function arrays(schema: JsonSchema, options: ValueOptions): fc.Arbitrary<unknown[]> {
  const minLength = (schema.minItems as number | undefined) ?? 0;
  const maximum = (schema.maxItems as number | undefined) ?? 5;
  return fc.array(valuesOf(schema.items as JsonSchema, options), {
    minLength,
    maxLength: Math.max(minLength, Math.min(maximum, 4)),
  });
}

function ofType(schema: JsonSchema, options: ValueOptions): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return strings(schema, options);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arrays(schema, options);
    case 'object':
      return objects(schema, options);
    case undefined:
      return storableJson;
    default:
      throw new Error(`values of the type ${JSON.stringify(schema.type)} need an entry in schema-values.ts`);
  }
}

/**
 * Values that are valid by `schema`.
 *
 * @throws Error for an unsupported keyword
 */
export function valuesOf(schema: JsonSchema, options: ValueOptions): fc.Arbitrary<unknown> {
  for (const keyword of Object.keys(schema)) {
    if (!known.has(keyword) && !silent.has(keyword)) throw new Error(`the keyword ${keyword} needs values in schema-values.ts`);
  }
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.replace('#/components/schemas/', '');
    const target = options.schemas[name];
    if (!target) throw new Error(`${schema.$ref} leads nowhere`);
    return valuesOf(target, options);
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, options)));
  return ofType(schema, options);
}
