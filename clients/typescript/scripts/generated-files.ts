import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/**
 * Turns Frontdesk's OpenAPI document into the generated part of the client: types by openapi-typescript, and from the same
 * operations a table for the runtime and the typed surface of the client. The same document always makes the same text.
 */

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
}

interface MediaTypes {
  [contentType: string]: { schema?: Schema };
}

interface DocumentedOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: { name: string; in: string }[];
  requestBody?: { required?: boolean; content: MediaTypes };
  responses: Record<string, { content?: MediaTypes }>;
}

/** What of an OpenAPI 3.1 document is read here. */
export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, unknown> };
}

interface Operation {
  id: string;
  resource: string;
  name: string;
  method: string;
  path: string;
  documented: DocumentedOperation;
}

const json = 'application/json';
const mergePatch = 'application/merge-patch+json';
const form = 'multipart/form-data';
const notice = '// Generated from the OpenAPI document by scripts/generate.ts; not edited by hand.\n\n';

/** Every operation, in the document's order. */
function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => {
      const id = documented.operationId ?? '';
      const [resource, name, ...rest] = id.split('-');
      if (!resource || !name || rest.length > 0)
        throw new Error(`${method} ${path}: the operationId "${id}" is not "resource-name".`);
      return { id, resource, name, method: method.toUpperCase(), path, documented };
    }),
  );
}

/** The document without what the client's types don't need: errors, headers, and content types with the same schema as JSON. */
function reduced(document: Document): object {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, reducedOperation(operation)])),
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Frontdesk', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: document.components.schemas },
  };
}

function reducedOperation({ operationId, parameters = [], requestBody, responses }: DocumentedOperation): object {
  const body = requestBody?.content[json];
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    operationId,
    parameters: parameters.filter((parameter) => parameter.in === 'path' || parameter.in === 'query'),
    ...(body ? { requestBody: { required: requestBody?.required, content: { [json]: body } } } : {}),
    responses: Object.fromEntries(successes.map(([status, { content }]) => [status, { description: '', content }])),
  };
}

const wanted = new Set(['components', 'operations']);

async function schemaFile(document: Document): Promise<string> {
  const nodes = await openapiTypescript(reduced(document) as never, { defaultNonNullable: false });
  const kept = nodes.filter((node) => ts.isInterfaceDeclaration(node) && wanted.has(node.name.text));
  if (kept.length !== wanted.size)
    throw new Error('openapi-typescript no longer makes the interfaces components and operations.');
  return notice + astToString(kept);
}

/** A name for each schema, so that a program can say `Customer`. `Error` would hide the language's own. */
function modelsFile(document: Document): string {
  const names = Object.keys(document.components.schemas).map((name) => ({ name, as: name === 'Error' ? 'ErrorBody' : name }));
  const types = names.map(({ name, as }) => `export type ${as} = components['schemas']['${name}'];\n`);
  return `${notice}import type { components } from './schema.js';\n\n${types.join('')}`;
}

/** What a success is made of, by content type; 200 and 201 of one operation say the same. */
function successOf({ documented }: Operation): MediaTypes {
  return Object.entries(documented.responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {};
}

/** Keys that lead from a list's answer to its items, e.g. `['data', 'posts']`; undefined for what is no list. */
function itemsOf(schema: Schema | undefined): string[] | undefined {
  const properties = Object.entries(schema?.properties ?? {});
  const items = properties.find(([, { type }]) => type === 'array');
  if (items) return [items[0]];
  for (const [key, inner] of properties) {
    const found = inner.type === 'object' ? itemsOf(inner) : undefined;
    if (found) return [key, ...found];
  }
  return undefined;
}

/** True where the body is a file. */
function isUpload({ documented }: Operation): boolean {
  return documented.requestBody?.content[form] !== undefined;
}

interface Paging {
  by: 'offset' | 'start';
  items: string[];
}

/** How a list is read page by page: by offset, or, like the calendar, by moving the start of the range. */
function pagingOf(operation: Operation): Paging | undefined {
  const parameters = new Set(operation.documented.parameters?.map(({ name }) => name));
  if (operation.method !== 'GET' || !parameters.has('limit')) return undefined;
  // The event log has no end: who follows it keeps the cursor.
  if (parameters.has('after')) return undefined;
  const by = parameters.has('offset') ? 'offset' : parameters.has('startDate') ? 'start' : undefined;
  const items = itemsOf(successOf(operation)[json]?.schema);
  if (!by || !items) throw new Error(`${operation.id}: has a limit, and no paging that this script knows.`);
  return { by, items };
}

function tableFile(operations: Operation[]): string {
  const rows = operations.map((operation) => {
    const row = {
      method: operation.method,
      path: operation.path,
      ...(operation.documented.requestBody?.content[mergePatch] ? { mergePatch: true } : {}),
      ...(json in successOf(operation) ? {} : { download: true }),
      ...(isUpload(operation) ? { upload: true } : {}),
      ...(pagingOf(operation) ? { paging: pagingOf(operation) } : {}),
    };
    return `  '${operation.id}': ${JSON.stringify(row)},\n`;
  });
  return `${notice}import type { Operation } from '../operation.js';\n
/** Every operation of the API by its operationId. */
export const operations: Record<string, Operation> = {\n${rows.join('')}};\n`;
}

function comment({ documented, method, path }: Operation, also: string[] = []): string {
  const texts = [documented.summary, documented.description, ...also, `\`${method} ${path}\``].filter((text) => text);
  const lines = [...texts.join('\n\n').split('\n'), ...(documented.deprecated ? ['', '@deprecated'] : [])];
  const safe = lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd());
  return `  /**\n${safe.join('\n')}\n   */\n`;
}

function members(operation: Operation): string {
  const paging = pagingOf(operation);
  const { id, name, method } = operation;
  const accepts = operation.documented.requestBody?.content[mergePatch];
  const writing = isUpload(operation) ? 'UploadMethod' : accepts ? 'MergePatchMethod' : 'WriteMethod';
  const kind = method === 'GET' ? 'ReadMethod' : writing;
  const own = `${comment(operation)}  ${name}: ${kind}<'${id}'>;\n`;
  if (!paging) return own;
  const item = `OutputOf<'${id}'>${paging.items.map((key) => `['${key}']`).join('')}[number]`;
  const also = ['Goes through all pages; `limit` is how many each asks for.'];
  return `${own}${comment(operation, also)}  ${name}All: AllMethod<'${id}', ${item}>;\n`;
}

function clientFile(operations: Operation[]): string {
  const resources = [...new Set(operations.map(({ resource }) => resource))].map(
    (resource) => [resource, operations.filter((operation) => operation.resource === resource)] as const,
  );
  const nameOf = (resource: string) => `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Operations`;
  const interfaces = resources.map(
    ([resource, own]) => `export interface ${nameOf(resource)} {\n${own.map(members).join('\n')}}\n`,
  );
  const kinds = ['AllMethod', 'MergePatchMethod', 'OutputOf', 'ReadMethod', 'UploadMethod', 'WriteMethod'];
  const used = kinds.filter((kind) => interfaces.some((text) => text.includes(`${kind}<`)));
  return `${notice}import type { ${used.join(', ')} } from '../methods.js';\n
${interfaces.join('\n')}
/** The API: one namespace a resource, one method an operation. */
export interface Frontdesk {
${resources.map(([resource]) => `  readonly ${resource}: ${nameOf(resource)};\n`).join('')}}\n`;
}

/** The generated files by their name below `src/generated`. */
export async function generatedFiles(document: Document): Promise<Record<string, string>> {
  const operations = operationsOf(document);
  return {
    'schema.ts': await schemaFile(document),
    'models.ts': modelsFile(document),
    'operations.ts': tableFile(operations),
    'client.ts': clientFile(operations),
  };
}
