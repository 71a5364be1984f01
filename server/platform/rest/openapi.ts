import type { AnyTRPCRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { env } from '@/server/platform/env';
import { errorTable } from '@/server/platform/errors';
import { errorComponents, errorResponseName, headerReference, parameterReference, successHeaders } from './openapi-components';
import { answersResource, targetOf } from './precondition';
import { mergePatchType } from './request-input';
import type { RestRoute } from './route-table';

const description = `Manage a business' identity, its customers, its AI agents and its mail from your own programs.

Every request needs a key: \`Authorization: Bearer sk_live_…\`. Keys are made in the dashboard under API keys. Each key belongs
to one business, with all rights or those of its scopes. Each operation names the scope it needs, and a \`write\` scope includes reading. The key of
an agent acts as that agent: what it creates is the agent's unless it says otherwise, and it stops while the agent is paused. Requests and answers are JSON; times are ISO 8601 in UTC.

Errors carry \`error\`, mostly \`message\`, and a stable \`code\`; every answer has an \`X-Request-Id\` to quote in reports.
Next page: the address in \`Link: <…>; rel="next"\`. Every GET answers an \`ETag\`: send it back as \`If-None-Match\` to read only what is new.
An answer that says "nothing new" (304) costs nothing of the daily limit. Send the \`ETag\` of a single resource as \`If-Match\` to change only what you
have seen. Give each POST, PATCH and DELETE an \`Idempotency-Key\` of its own, and it
can be sent again without being carried out again. Answers are compressed for clients that accept gzip or br; request bodies must not be.

Pages of any site may call the API (CORS), without cookies. Anyone on that page can read the key; set an expiry.

Unknown keys in a body are ignored. Types are strict: \`"5"\` is not a number and \`"false"\` is not a boolean.`;

const tags = [
  { name: 'Identity', description: 'The business this key acts for.' },
  { name: 'Customers', description: 'CRM records, each with at least one e-mail contact.' },
  { name: 'Agents', description: 'Who answers mail, in which voice, and whom they ask when they need a person.' },
  { name: 'Conversations', description: 'Mail that came in and what was answered, as threads.' },
  { name: 'Blog', description: 'Posts in Markdown, and the public blog they appear on.' },
  { name: 'Calendar', description: 'Events and series of them, invitations by mail, answers, and what time is free.' },
  { name: 'Events', description: 'What happens, in order, for programs that follow it.' },
  { name: 'Webhooks', description: 'URLs to which events are sent.' },
  { name: 'Usage', description: 'Tokens and executions, recorded and held against the plan.' },
];

interface Operation {
  description?: string;
  security?: unknown[];
  parameters?: unknown[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { description: string; headers?: unknown; content?: unknown }>;
}

/** Error statuses of an operation, derived from its method, path and input. */
function documentedErrors(route: RestRoute, routes: readonly RestRoute[]): number[] {
  const hasParameters = route.segments.some((segment) => segment.parameter);
  const statuses = new Set<number>([400, 401, 403, 429, 500, 503, ...(route.rest.errors ?? [])]);
  if (hasParameters) statuses.add(404);
  if (route.method !== 'GET') statuses.add(408).add(409).add(413).add(415).add(422);
  if (targetOf(route, routes)) statuses.add(412);
  return [...statuses].sort((a, b) => a - b);
}

/** Headers of the operation's successful response. */
function headersOf(route: RestRoute, routes: readonly RestRoute[]): Record<string, { $ref: string }> {
  return {
    ...successHeaders,
    ...(route.method === 'GET' || answersResource(route, targetOf(route, routes)) ? { ETag: headerReference('ETag') } : {}),
    ...(route.method === 'GET' && route.query.has('offset') ? { Link: headerReference('Link') } : {}),
    ...(route.method === 'GET' ? {} : { 'Idempotent-Replayed': headerReference('IdempotentReplayed') }),
  };
}

/** Adds the headers of conditional requests, and their responses. */
function addConditions(operation: Operation, route: RestRoute, routes: readonly RestRoute[]): void {
  const parameters = [
    ...(route.method === 'GET' ? [] : [parameterReference('IdempotencyKey')]),
    ...(targetOf(route, routes) ? [parameterReference('IfMatch')] : []),
    ...(route.method === 'GET' ? [parameterReference('IfNoneMatch')] : []),
  ];
  if (parameters.length > 0) operation.parameters = [...(operation.parameters ?? []), ...parameters];
  if (route.method === 'GET') {
    const { ETag, ...others } = headersOf(route, routes);
    const description = 'Still in the state of `If-None-Match`. Costs nothing of the daily limit.';
    operation.responses['304'] = { description, headers: { ETag, ...others } };
  }
}

/** States the scope that a key needs. */
function addScope(operation: Operation, { meta: { scope = '*', sends, notForAgents } }: RestRoute): void {
  const also = sends ? `, and \`conversations:send\` where ${sends}` : '';
  const notes = [`Scope: \`${scope}\`${also}.`, ...(notForAgents ? ['Not for keys of agents.'] : [])].join(' ');
  operation.description = operation.description ? `${operation.description}\n\n${notes}` : notes;
  operation.security = [{ apiKey: [scope] }];
}

/** Corrects what trpc-to-openapi's metadata can't express: statuses, error bodies, headers, a second content type. */
function correct(operation: Operation, route: RestRoute, routes: readonly RestRoute[]): void {
  const success = operation.responses['200'];
  if (!success) throw new Error(`${route.name}: the generated document has no 200.`);
  const status = route.rest.status ?? 200;
  if (route.rest.download) {
    success.content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  }
  const documented = { ...success, description: status === 201 ? 'Created.' : 'Done.', headers: headersOf(route, routes) };
  operation.responses = { [status]: documented };
  if (route.rest.alreadyDone) operation.responses['200'] = { ...documented, description: route.rest.alreadyDone };
  for (const error of documentedErrors(route, routes)) {
    operation.responses[error] = { $ref: `#/components/responses/${errorResponseName(error, route.area)}` } as never;
  }
  addConditions(operation, route, routes);
  addScope(operation, route);
  const json = operation.requestBody?.content['application/json'];
  if (json && operation.requestBody && route.rest.acceptsMergePatch) operation.requestBody.content[mergePatchType] = json;
}

/** The OpenAPI 3.1 document of a router's operations, as served by the dispatcher. */
export function describeRouter(router: AnyTRPCRouter, routes: readonly RestRoute[]): object {
  const document = generateOpenApiDocument(router, {
    title: 'Frontdesk API',
    description,
    version: '1.0.0',
    baseUrl: `${env().PUBLIC_URL ?? ''}/api/v1`,
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the identity, as made in the dashboard.' },
    },
  });
  for (const route of routes) {
    const path = document.paths?.[route.path] as Record<string, unknown> | undefined;
    correct(path?.[route.method.toLowerCase()] as Operation, route, routes);
  }
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(([name]) => !name.startsWith('error.'));
  const errors = errorComponents(errorTable);
  return {
    ...document,
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
