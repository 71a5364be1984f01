import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rest } from '@/server/registry';
import { type Document, generatedFiles } from '../scripts/generated-files.js';
import { operations } from '../src/generated/operations.js';
import { createFrontdesk } from '../src/index.js';

const folder = new URL('../src/generated/', import.meta.url);

function smallDocument(changes: object): Document {
  const operation = { operationId: 'things-list', parameters: [], responses: { 200: { content: {} } }, ...changes };
  return { paths: { '/things': { get: operation } }, components: { schemas: { Thing: { type: 'object' } } } };
}

test('the generated files are those of the document (else: npm run generate -w @frontdesk/client)', async () => {
  const files = await generatedFiles(rest.document() as Document);
  expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
  for (const [name, text] of Object.entries(files))
    expect([name, readFileSync(new URL(name, folder), 'utf8')]).toEqual([name, text]);
});

test('the same document makes the same text', async () => {
  const document = rest.document() as Document;
  expect(await generatedFiles(structuredClone(document))).toEqual(await generatedFiles(document));
});

test('every operation is a method under the name of its procedure', () => {
  const frontdesk = createFrontdesk({ baseUrl: 'https://desk.example', apiKey: 'k' });
  const { paths } = rest.document() as Document;
  const documented = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId ?? ''),
  );
  expect(Object.keys(operations)).toEqual(documented);
  for (const id of documented) {
    const [resource = '', name = ''] = id.split('-');
    expect([id, typeof (frontdesk as never as Record<string, Record<string, unknown>>)[resource]?.[name]]).toEqual([
      id,
      'function',
    ]);
  }
});

test('an operation the client could not carry out is refused when it is generated', async () => {
  await expect(generatedFiles(smallDocument({ operationId: 'list' }))).rejects.toThrow(/operationId/);
  await expect(generatedFiles(smallDocument({ parameters: [{ name: 'limit', in: 'query' }] }))).rejects.toThrow(/paging/);
});
