import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { operations } from '@/server/registry';

/** `recordId` and `timestamp` are for responses and validate nothing: in an input they would let anything through to the database. */

type JsonSchema = z.core.JSONSchema.BaseSchema;

const formats = ['uuid', 'date-time'];

/** Whether all that the schema accepts is of one of the formats. */
function hasFormat(schema: JsonSchema): boolean {
  const options = (schema.anyOf ?? [schema]).filter((option) => option.type !== 'null');
  return options.every((option) => formats.includes(option.format ?? ''));
}

const fields = [...operations.values()].flatMap(({ name, input }) => {
  if (!input) return [];
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([field, schema]) => {
    const wrong = schema.type === 'array' ? ['wrong'] : 'wrong';
    return hasFormat(schema.type === 'array' ? (schema.items as JsonSchema) : schema) ? [{ name, input, field, wrong }] : [];
  });
});

describe('ids and times are validated', () => {
  // The calendar answers an invalid event id with 404, as it does an unknown one (contract, section 2).
  const validated = fields.filter(({ name, field }) => !(name.startsWith('calendar.') && field === 'eventId'));

  test.each(validated)('$name: $field', ({ input, field, wrong }) => {
    const { error } = input.safeParse({ [field]: wrong });
    expect(error?.issues.some(({ path }) => path[0] === field)).toBe(true);
  });
});
