import { existsSync, readdirSync } from 'node:fs';
import { initTRPC } from '@trpc/server';
import { generateOpenApiDocument, type OpenApiMeta } from 'trpc-to-openapi';
import { env, publicUrl } from '@/server/platform/env';
import { errorTable } from '@/server/platform/errors';
import type { ErrorArea } from '../http/error-body';
import { answersTarget } from '../operations/operation';
import { errorComponents, errorResponseName, headerReference, parameterReference, successHeaders } from './openapi-components';
import { mergePatchType } from './request-input';
import { inputSchemaOf, type RestRoute } from './route-table';

const description = `Manage your business, customers, AI agents and email from your own programs.

**Keys.** Every request needs a key: \`Authorization: Bearer sk_live_…\`. Create keys in the dashboard, under API keys. Each key belongs
to one business and has full access or the access of its scopes; each operation names the scope it needs, and a \`write\` scope includes
reading. A key of an agent acts as that agent: what it creates is the agent's by default, and it doesn't work while the agent is paused.

**Format.** Requests and responses are JSON; times are ISO 8601 in UTC. Unknown keys in a body are ignored. Types are strict: \`"5"\` is not a
number and \`"false"\` is not a boolean. Responses are compressed for clients that accept gzip or br; request bodies can't be compressed.

**Errors** have \`error\`, usually \`message\`, and a stable \`code\`. Every response has an \`X-Request-Id\` to include in reports.

**Lists.** Next page: \`Link: <…>; rel="next"\`.

**Caching and conflicts.** Every GET returns an \`ETag\`. Send it back as \`If-None-Match\` to get 304 if nothing has changed, which doesn't
count toward the daily limit. Send the \`ETag\` of a single resource, or its \`revision\` in quotes, as \`If-Match\` to change it only if it is
still the same.

**Retries.** Send a unique \`Idempotency-Key\` with each POST, PATCH and DELETE, and you can safely repeat the request.

**Browsers.** Web pages of any origin can call the API (CORS), without cookies. Anyone on that page can read the key; set an expiry.`;

/** A group of operations in the document. */
export interface ApiTag {
  name: string;
  description: string;
}

/** What the document says of the API's parts. */
export interface ApiParts {
  tags: readonly ApiTag[];
  areas: readonly ErrorArea[];
}

interface DocumentedOperation {
  description?: string;
  security?: unknown[];
  parameters?: unknown[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses: Record<string, { description: string; headers?: unknown; content?: unknown }>;
}

/** Error statuses of an operation, derived from its method, path and input. */
function documentedErrors(route: RestRoute): number[] {
  const hasParameters = route.segments.some((segment) => segment.parameter);
  const statuses = new Set<number>([400, 401, 403, 429, 500, 503, ...(route.rest.errors ?? [])]);
  if (hasParameters && !route.rest.begins) statuses.add(404);
  if (route.method !== 'GET') statuses.add(408).add(409).add(413).add(415).add(422);
  if (route.operation.target) statuses.add(412);
  return [...statuses].sort((a, b) => a - b);
}

/** Headers of the operation's successful response. */
function headersOf(route: RestRoute): Record<string, { $ref: string }> {
  return {
    ...successHeaders,
    ...(route.method === 'GET' || answersTarget(route.operation) ? { ETag: headerReference('ETag') } : {}),
    ...(route.method === 'GET' && route.query.has('offset') ? { Link: headerReference('Link') } : {}),
    ...(route.method === 'GET' ? {} : { 'Idempotent-Replayed': headerReference('IdempotentReplayed') }),
  };
}

/** Adds the headers of conditional requests, and their responses. */
function addConditions(operation: DocumentedOperation, route: RestRoute): void {
  const parameters = [
    ...(route.method === 'GET' ? [] : [parameterReference('IdempotencyKey')]),
    ...(route.operation.target ? [parameterReference('IfMatch')] : []),
    ...(route.method === 'GET' ? [parameterReference('IfNoneMatch')] : []),
  ];
  if (parameters.length > 0) operation.parameters = [...(operation.parameters ?? []), ...parameters];
  if (route.method === 'GET') {
    const { ETag, ...others } = headersOf(route);
    const description = 'Unchanged since `If-None-Match`. Doesn’t count toward the daily limit.';
    operation.responses['304'] = { description, headers: { ETag, ...others } };
  }
}

/** States the scope that a key needs. */
function addScope(operation: DocumentedOperation, { meta: { scope = '*', sends, notForAgents } }: RestRoute): void {
  const also = sends ? `, and \`conversations:send\` if ${sends}` : '';
  const notes = [`Scope: \`${scope}\`${also}.`, ...(notForAgents ? ['Not available to keys of agents.'] : [])].join(' ');
  operation.description = operation.description ? `${operation.description}\n\n${notes}` : notes;
  operation.security = [{ apiKey: [scope] }];
}

/** A JSON body as trpc-to-openapi describes it. */
interface JsonBody {
  schema: { properties?: Record<string, { description?: string }>; required?: string[] };
}

/** Describes a body that is a file, whose input is in the query. */
function describeUpload(operation: DocumentedOperation): void {
  const { schema } = (operation.requestBody?.content['application/json'] ?? { schema: {} }) as JsonBody;
  operation.parameters = Object.entries(schema.properties ?? {}).map(([name, { description, ...property }]) => ({
    ...{ name, in: 'query', required: schema.required?.includes(name) ?? false, description, schema: property },
  }));
  const binary = { type: 'string', format: 'binary' };
  const form = { type: 'object', required: ['file'], properties: { file: binary } };
  operation.requestBody = {
    required: true,
    content: { 'multipart/form-data': { schema: form }, 'application/octet-stream': { schema: binary } },
  };
}

/** Corrects what trpc-to-openapi's metadata can't express: statuses, error bodies, headers, other content types. */
function correct(operation: DocumentedOperation, route: RestRoute): void {
  const success = operation.responses['200'];
  if (!success) throw new Error(`${route.name}: the generated document has no 200.`);
  const status = route.rest.status ?? 200;
  if (route.rest.download) {
    success.content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  }
  if (route.rest.upload) describeUpload(operation);
  const documented = { ...success, description: status === 201 ? 'Created.' : 'Done.', headers: headersOf(route) };
  operation.responses = { [status]: documented };
  if (route.rest.alreadyDone) operation.responses['200'] = { ...documented, description: route.rest.alreadyDone };
  for (const error of documentedErrors(route)) {
    operation.responses[error] = { $ref: `#/components/responses/${errorResponseName(error, route.area)}` } as never;
  }
  addConditions(operation, route);
  addScope(operation, route);
  const json = operation.requestBody?.content['application/json'];
  if (json && operation.requestBody && route.rest.acceptsMergePatch) operation.requestBody.content[mergePatchType] = json;
}

/** Where the build puts the typed client of this version; see scripts/pack-client.mjs. */
function packedClient(): string | undefined {
  const folder = 'public/vendor';
  return existsSync(folder) ? readdirSync(folder).find((name) => /^frontdesk-client-.*\.tgz$/.test(name)) : undefined;
}

/** How to install the typed client; Scalar shows it for curl and for JavaScript (https://scalar.com, `x-scalar-sdk-installation`). */
function clientInstallation(): object {
  const packed = packedClient();
  if (packed === undefined) return {};
  const source = `curl -O ${publicUrl()}/vendor/${packed}\nnpm install ./${packed}`;
  const text =
    '**@frontdesk/client** is the typed client for TypeScript and JavaScript: one method per operation, safe retries, complete lists. ' +
    'Keep the downloaded file in your project.';
  return { 'x-scalar-sdk-installation': ['shell', 'node', 'js'].map((lang) => ({ lang, description: text, source })) };
}

/** A router for trpc-to-openapi, which reads schemas and metadata from procedures of tRPC. */
function routerOf(routes: readonly RestRoute[]) {
  const t = initTRPC.meta<OpenApiMeta>().create();
  const unused = () => {
    throw new Error('only described');
  };
  return t.router(
    Object.fromEntries(
      routes.map(({ name, meta: { openapi }, operation }) => {
        const procedure = t.procedure.meta({ openapi }).input(inputSchemaOf(operation)).output(operation.output);
        return [name, operation.type === 'query' ? procedure.query(unused) : procedure.mutation(unused)];
      }),
    ),
  );
}

/** The OpenAPI 3.1 document of these routes, as served by the dispatcher. */
export function describeRoutes(routes: readonly RestRoute[], { tags, areas }: ApiParts): object {
  const document = generateOpenApiDocument(routerOf(routes), {
    title: 'Frontdesk API',
    description,
    version: '1.0.0',
    baseUrl: `${env().PUBLIC_URL ?? ''}/api/v1`,
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, created in the dashboard.' },
    },
  });
  for (const route of routes) {
    const path = document.paths?.[route.path] as Record<string, unknown> | undefined;
    correct(path?.[route.method.toLowerCase()] as DocumentedOperation, route);
  }
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(([name]) => !name.startsWith('error.'));
  const errors = errorComponents(errorTable, areas);
  return {
    ...document,
    info: { ...document.info, ...clientInstallation() },
    tags,
    components: {
      ...document.components,
      schemas: { ...Object.fromEntries(schemas), ...errors.schemas },
      responses: errors.responses,
      headers: errors.headers,
      parameters: errors.parameters,
    },
  };
}
