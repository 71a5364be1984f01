import fc from 'fast-check';
import { type Api, type DocumentedOperation, expect, test } from '../support/api';
import { within } from '../support/base-test';

/**
 * Sends what no well-meaning client would, built from the very document that says what a well-meaning one should. Whatever comes, the
 * answer is documented, keeps to its schema (Api.call checks both) and is no 500.
 */

const runs = 60;

const anything = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom<unknown>(
    '\0',
    '\ud800',
    '',
    ' ',
    'null',
    '-1',
    '1e400',
    '%00',
    "'; --",
    '__proto__',
    '../..',
    '😀'.repeat(300),
  ),
  fc.constantFrom<unknown>(null, true, 0, -0, -1, 0.1, 1e21, Number.MAX_SAFE_INTEGER, 2 ** 31, [], {}, [null], [[]]),
);

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; items?: Schema; type?: string };

/** Values that are sometimes of a schema's kind and sometimes of any other. */
function valuesOf(schema: Schema | undefined, depth = 0): fc.Arbitrary<unknown> {
  const wild = { weight: 1, arbitrary: anything };
  if (!schema || depth > 4) return anything;
  if (schema.properties) return fc.oneof({ weight: 4, arbitrary: objectOf(schema.properties, depth) }, wild);
  if (schema.items)
    return fc.oneof({ weight: 4, arbitrary: fc.array(valuesOf(schema.items, depth + 1), { maxLength: 3 }) }, wild);
  if (schema.format === 'email') return fc.oneof({ weight: 3, arbitrary: fc.emailAddress() }, wild);
  if (schema.format === 'uuid' || schema.format === 'guid') return fc.oneof({ weight: 3, arbitrary: fc.uuid() }, wild);
  if (Array.isArray(schema.enum)) return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...schema.enum) }, wild);
  if (schema.type === 'string') return fc.oneof({ weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) }, wild);
  if (schema.type === 'number' || schema.type === 'integer')
    return fc.oneof({ weight: 3, arbitrary: fc.integer({ min: -5, max: 200 }) }, wild);
  if (schema.type === 'boolean') return fc.oneof({ weight: 3, arbitrary: fc.boolean() }, wild);
  return anything;
}

function objectOf(properties: Record<string, Schema>, depth: number): fc.Arbitrary<object> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, depth + 1)])),
    { requiredKeys: [] },
  );
  return fc
    .tuple(known, fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 1 }))
    .map(([own, more]) => ({ ...more, ...own }));
}

interface Shot {
  path: string;
  data?: unknown;
}

function shotsAt(operation: DocumentedOperation, ids: string[]): fc.Arbitrary<Shot> {
  const segment = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    fc.uuid(),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  );
  const parameters = operation.parameters ?? [];
  const inPath = fc.tuple(...parameters.filter((parameter) => parameter.in === 'path').map(() => segment));
  const inQuery = fc.record(
    Object.fromEntries(
      parameters.filter((parameter) => parameter.in === 'query').map(({ name, schema }) => [name, valuesOf(schema as Schema)]),
    ),
    { requiredKeys: [] },
  );
  const body = operation.requestBody
    ? valuesOf(operation.requestBody.content['application/json']?.schema as Schema)
    : fc.constant(undefined);
  return fc.tuple(inPath, inQuery, body).map(([values, query, data]) => {
    let index = 0;
    // A segment of dots alone would be taken for the way up before it leaves the client.
    const encode = (value: string) => encodeURIComponent(value.toWellFormed()).replace(/^\.+$/, 'x');
    const path = operation.path.replace(/\{[^}]*\}/g, () => encode(values[index++] ?? ''));
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(typeof value === 'object' ? JSON.stringify(value) : value)]),
    );
    return { path: text.size > 0 ? `${path}?${text}` : path, data };
  });
}

async function idsOf(api: Api): Promise<string[]> {
  const customer = await api.createCustomer({ contacts: [{ email: 'ann@quark.io' }, { email: 'bob@quark.io' }] });
  return [customer.id, ...customer.contacts.map(({ guid }) => guid)];
}

test('whatever is sent, the answer is documented and no 500', async ({ api }) => {
  test.setTimeout(within(50));
  const ids = await idsOf(api);
  for (const operation of api.contract.operations) {
    const property = fc.asyncProperty(shotsAt(operation, ids), async ({ path, data }) => {
      const { status } = await api.call(operation.method, path, data === undefined ? {} : { data });
      expect(status, `${operation.method} ${path}`).toBeLessThan(500);
    });
    // As a step: outside of one, Playwright looks through all calls before each call.
    await test.step(`${operation.method} ${operation.path}`, () => fc.assert(property, { numRuns: runs }));
  }
  const { status, body } = await api.get('/identity/customers?limit=100');
  expect(status).toBe(200);
  for (const customer of body.customers) {
    expect(customer.contacts.filter((contact: { isPrimary: boolean }) => contact.isPrimary)).toHaveLength(1);
  }
});
