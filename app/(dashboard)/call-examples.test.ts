import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBlogPostInput } from '@/server/features/blog/blog-post.schema';
import { createEventInput } from '@/server/features/calendar/calendar.schema';
import { addCustomerContactInput, createCustomerInput } from '@/server/features/customers/customer.schema';
import { rest } from '@/server/registry';
import { type ApiDocument, operationsOf } from './_components/api-drawer/api-document';
import { type CallInput, curlOf, literalOf, shellQuoted, typescriptOf } from './_components/api-drawer/call-examples';
import { exampleOf } from './_components/api-drawer/example-value';

const document = rest.document() as ApiDocument;
const components = document.components?.schemas ?? {};
const operations = operationsOf(document);
const id = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const now = Date.UTC(2026, 10, 21, 12);

const input = (changes: Partial<CallInput> = {}): CallInput => ({
  apiUrl: 'https://desk.example/api/v1',
  origin: 'https://desk.example',
  components,
  ids: {},
  filters: {},
  now,
  ...changes,
});

function operation(name: string) {
  const found = operations.find((candidate) => candidate.id === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}

const curl = (name: string, changes: Partial<CallInput> = {}) => curlOf(operation(name), input(changes));
const typescript = (name: string, changes: Partial<CallInput> = {}) => typescriptOf(operation(name), input(changes));

describe('curl', () => {
  it('asks for this very record', () => {
    expect(curl('customers-get', { ids: { id } })).toBe(
      `curl 'https://desk.example/api/v1/identity/customers/${id}' \\\n  -H "Authorization: Bearer $FRONTDESK_API_KEY"`,
    );
  });

  it('has the filters of the list as its query', () => {
    expect(curl('customers-list', { filters: { limit: 25, query: "O'Hara & 50%" } })).toContain(
      `customers?limit=25&query=O%27Hara+%26+50%25'`,
    );
  });

  it('says what is to be filled in, and gives what is required', () => {
    expect(curl('customers-byContact')).toContain('/by-contact/GUID');
    expect(curl('calendar-availability')).toContain('startTime=2026-11-22T09%3A00%3A00.000Z&endTime=2026-11-22T10');
    expect(curl('conversations-thread', { ids: { conversationId: id } })).toContain(`?conversationId=${id}'`);
  });

  it('sends a body where there is one, and keeps the name of a file', () => {
    expect(curl('customers-create')).toMatch(/-X POST .*-H 'Content-Type: application\/json' \\\n {2}-d '\{/s);
    expect(curl('customers-delete', { ids: { id } })).not.toContain('-d');
    expect(curl('conversations-attachment')).toMatch(/-OJ$/);
    expect(curl('conversations-uploadAttachment')).toMatch(/-X POST '[^']+\/attachments' .* -F 'file=@offer.pdf'$/s);
  });

  it('quotes any text so that a shell takes it as it is', () => {
    // A program argument can't contain NUL.
    const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed());
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 60 }), (texts) => {
        const script = `printf '%s\\n' ${texts.map(shellQuoted).join(' ')}`;
        expect(execFileSync('sh', ['-c', script]).toString()).toBe(texts.map((value) => `${value}\n`).join(''));
      }),
      { numRuns: 3 },
    );
  });
});

describe('TypeScript', () => {
  it('calls the client by the names of the procedure, with one flat object', () => {
    expect(typescript('customers-get', { ids: { id } })).toContain(`await frontdesk.customers.get({ id: '${id}' });`);
    expect(typescript('usage-stats')).toContain('await frontdesk.usage.stats();');
    expect(typescript('customers-addContact', { ids: { id } })).toMatch(
      /customers\.addContact\(\{\n {2}id: '[^']+',\n {2}email: '/,
    );
    expect(typescript('customers-get')).toContain("baseUrl: 'https://desk.example',");
  });

  it('writes any value of JSON so that it reads as the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = runInNewContext(`JSON.stringify(${literalOf(value)})`);
        expect(JSON.parse(read)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('begins every list with [ and every object with {', () => {
    expect(literalOf({ a: [1, 'x'.repeat(80)], 'b-c': null })).toBe(
      `{\n  a: [\n    1,\n    '${'x'.repeat(80)}',\n  ],\n  'b-c': null,\n}`,
    );
  });
});

describe('examples', () => {
  const bodyOf = (name: string) => exampleOf(operation(name).body ?? {}, 'body', { components, values: {}, now });

  it('fit the schemas they are made from, where these say enough', () => {
    for (const [name, schema] of [
      ['customers-create', createCustomerInput],
      ['calendar-create', createEventInput],
      ['blog-create', createBlogPostInput],
    ] as const) {
      expect(schema.safeParse(bodyOf(name)).error?.issues ?? [], name).toEqual([]);
    }
    const contact = { id, ...(bodyOf('customers-addContact') as object) };
    expect(addCustomerContactInput.safeParse(contact).success).toBe(true);
  });

  it.each(operations.map((one) => [one.id]))('%s has one in both languages', (name) => {
    for (const code of [curl(name, { ids: { id } }), typescript(name, { ids: { id } })]) {
      expect(code).not.toMatch(/undefined|\[object|NaN/);
      expect(code.length).toBeGreaterThan(40);
    }
  });
});
