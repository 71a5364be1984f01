import type { ApiOperation, JsonSchema } from './api-document';
import { exampleOf, placeholderOf } from './example-value';

/** The input of a generated example. */
export interface CallInput {
  /** Base URL of the API: `https://desk.example/api/v1`. */
  apiUrl: string;
  /** Origin of the installation: `https://desk.example`. */
  origin: string;
  components: Readonly<Record<string, JsonSchema>>;
  /** Ids of the current record, by parameter name. */
  ids: Readonly<Record<string, string>>;
  /** The filters of the page's list, if this operation is that list. */
  filters: Readonly<Record<string, unknown>>;
  /** Current time in milliseconds. */
  now: number;
}

interface Call {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** The parts of one call: known values first, then required ones. */
function callOf({ parameters, body }: ApiOperation, { components, ids, filters, now }: CallInput): Call {
  const call: Call = { path: {}, query: {}, body: null };
  const context = { components, values: {}, now };
  for (const { name, place, isRequired, schema } of parameters) {
    const known = place === 'path' ? ids[name] : (filters[name] ?? ids[name]);
    if (known !== undefined) call[place][name] = known;
    else if (place === 'path') call.path[name] = placeholderOf(name);
    else if (isRequired) call.query[name] = exampleOf(schema, name, context);
  }
  if (body) call.body = exampleOf(body, 'body', { ...context, values: ids });
  return call;
}

/** What an example uploads. */
const exampleFile = 'offer.pdf';

/** Quotes any text as one word of a POSIX shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The call as a curl command. */
export function curlOf(operation: ApiOperation, input: CallInput): string {
  const { path, query, body } = callOf(operation, input);
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const url = `${input.apiUrl}${filled}${parameters.size > 0 ? `?${parameters}` : ''}`;
  const lines = [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${shellQuoted(url)}`,
    '-H "Authorization: Bearer $FRONTDESK_API_KEY"',
  ];
  if (body !== null) lines.push("-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(body, null, 2))}`);
  if (operation.isUpload) lines.push(`-F 'file=@${exampleFile}'`);
  if (operation.isDownload) lines.push('-OJ');
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  // Every JSON escape is valid in JavaScript; only the quotes differ.
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

const isName = (key: string) => /^[A-Za-z_$][\w$]*$/.test(key);

/** Formats a JSON value as TypeScript source; short values stay on one line. */
export function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literalOf(item, deeper))
    : // In an object literal, an unquoted `__proto__` would set the prototype.
      Object.entries(value).map(
        ([key, item]) => `${key === '__proto__' ? "['__proto__']" : isName(key) ? key : quoted(key)}: ${literalOf(item, deeper)}`,
      );
  if (parts.length === 0) return isList ? '[]' : '{}';
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (!line.includes('\n') && indent.length + line.length <= 60) return line;
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.map((part) => `${deeper}${part},`).join('\n')}\n${indent}${close}`;
}

/** The call with our client: path, query and body in one flat object. */
export function typescriptOf(operation: ApiOperation, input: CallInput): string {
  const { path, query, body } = callOf(operation, input);
  const [resource = '', name = ''] = operation.id.split('-');
  const flat = { ...path, ...query, ...(body as object | null) };
  const given = Object.keys(flat).length === 0 ? '' : literalOf(flat);
  const argument = operation.isUpload ? '{ file }' : given;
  return [
    ...(operation.isUpload ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { createFrontdesk } from '@frontdesk/client';",
    '',
    'const frontdesk = createFrontdesk({',
    `  baseUrl: ${quoted(input.origin)},`,
    "  apiKey: process.env.FRONTDESK_API_KEY ?? '',",
    '});',
    '',
    ...(operation.isUpload ? [`const file = new File([await readFile('${exampleFile}')], '${exampleFile}');`] : []),
    `const answer = await frontdesk.${resource}.${name}(${argument});`,
  ].join('\n');
}
