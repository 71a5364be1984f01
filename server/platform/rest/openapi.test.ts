import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { errorTable } from '@/server/platform/errors';
import { rest } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });

interface Operation {
  operationId: string;
  summary: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema: { format?: string } }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, { schema: object; example?: unknown }> }>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  security?: unknown[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    responses: Record<string, { content: Record<string, { schema: object; example: Record<string, unknown> }> }>;
    headers: Record<string, object>;
    securitySchemes: Record<string, object>;
  };
}

const read = () => rest.document() as unknown as Document;

function operations(document: Document): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
  );
}

function operation(document: Document, name: string): Operation {
  const found = new Map(operations(document)).get(name);
  if (!found) throw new Error(`${name} is not documented.`);
  return found;
}

describe('the document', () => {
  test('is OpenAPI 3.1 of this installation', () => {
    const document = read();
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.servers).toEqual([{ url: 'https://desk.example.com/api/v1' }]);
    expect(document.components.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } });
  });

  test('has exactly the operations that are served', () => {
    const served = rest.routes.all.map((route) => `${route.method} ${route.path}`);
    expect(
      operations(read())
        .map(([name]) => name)
        .sort(),
    ).toEqual(served.sort());
  });

  test('has no reference that leads nowhere', () => {
    const document = read();
    const references = new Set(JSON.stringify(document).match(/"#\/components\/[^"]+"/g));
    expect(references.size).toBeGreaterThan(10);
    for (const reference of references) {
      const path = JSON.parse(reference).slice(2).split('/') as string[];
      const target = path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
      expect(target, reference).toBeTruthy();
    }
  });

  test('has an id of its own and the key for every operation', () => {
    const document = read();
    const all = operations(document);
    expect(new Set(all.map(([, { operationId }]) => operationId)).size).toBe(all.length);
    for (const [name, { security }] of all) expect([name, security]).toEqual([name, [{ apiKey: [expect.any(String)] }]]);
  });
});

describe('statuses', () => {
  test('of success are the true ones', () => {
    const document = read();
    const success = Object.fromEntries(
      operations(document).map(([name, { responses }]) => [
        name,
        Object.keys(responses)
          .filter((status) => status.startsWith('2'))
          .join(),
      ]),
    );
    expect(success).toMatchObject({
      'GET /identity': '200',
      'PATCH /identity': '200',
      'POST /identity/customers': '201',
      'POST /identity/customers/{id}/contacts': '200,201',
      'DELETE /identity/customers/{id}': '200',
      'DELETE /identity/customers/{id}/contacts/{guid}': '200',
    });
  });

  test('of refusal are there for whatever can happen, with their bodies', () => {
    const document = read();
    for (const [name, { responses, parameters = [], requestBody }] of operations(document)) {
      const expected = ['401', '403', '429', '500'];
      if (parameters.some((parameter) => parameter.in === 'path')) expected.push('400');
      if (parameters.some(({ in: place, schema }) => place === 'path' && schema.format === 'uuid')) expected.push('404');
      if (requestBody) expected.push('400', '408', '413', '415');
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(expected)]);
    }
    expect(operation(document, 'POST /identity/customers').responses).toHaveProperty('409');
  });

  test('carry the headers of the limit', () => {
    for (const [name, { responses }] of operations(read())) {
      for (const [status, response] of Object.entries(responses)) {
        if (!status.startsWith('2')) continue;
        expect([name, Object.keys(response.headers ?? {})]).toEqual([
          name,
          expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
        ]);
      }
    }
  });
});

describe('errors', () => {
  test('keep to their own schema, and show the body of their area', () => {
    const { components } = read();
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const isError = ajv.compile(components.schemas.Error ?? false);
    const examples = Object.entries(components.responses).map(
      ([name, { content }]) => [name, content['application/json']?.example] as const,
    );
    for (const [name, example] of examples) expect([name, isError(example), isError.errors]).toEqual([name, true, null]);
    const byName = Object.fromEntries(examples);
    expect(byName.NotFound).toMatchObject({ error: 'Not found', message: 'Resource not found or access denied' });
    expect(byName.IdentityNotFound).toMatchObject({ error: 'Identity not found' });
    expect(byName.IdentityInvalidRequest).toMatchObject({
      error: 'Invalid request body',
      message: 'Request body must be a JSON object',
    });
    expect(byName.Unauthorized).toMatchObject({ error: 'Unauthorized', message: 'Invalid or expired API key' });
    expect(byName.RateLimitExceeded).toMatchObject({ error: 'Rate limit exceeded', details: { remaining: 0 } });
  });

  test('have the codes of the one table, but those that are never met here', () => {
    const schema = read().components.schemas.Error as { properties: { code: { enum: string[] } } };
    const elsewhere = ['signed_out', 'cross_origin', 'unknown_recipient'];
    expect(schema.properties.code.enum).toEqual(Object.keys(errorTable).filter((code) => !elsewhere.includes(code)));
  });
});

describe('bodies', () => {
  const others: Record<string, string[]> = {
    'PATCH /identity': ['application/json', 'application/merge-patch+json'],
    'POST /attachments': ['multipart/form-data', 'application/octet-stream'],
  };

  test('are JSON, or a merge patch or a file where that is taken; nothing that answers 415', () => {
    const document = read();
    for (const [name, { requestBody }] of operations(document)) {
      if (!requestBody) continue;
      expect([name, Object.keys(requestBody.content)]).toEqual([name, others[name] ?? ['application/json']]);
    }
  });

  test('and queries are described as they are taken', () => {
    const document = read();
    const { parameters = [] } = operation(document, 'GET /identity/customers');
    const own = parameters.filter(({ name }) => name !== undefined);
    const byName = Object.fromEntries(own.map((parameter) => [parameter.name, parameter]));
    expect(Object.keys(byName).sort()).toEqual(['cursor', 'email', 'limit', 'offset', 'q', 'query', 'search', 'tag']);
    expect(byName.limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } });
    expect(parameters.every((parameter) => !parameter.required)).toBe(true);
    const body = operation(document, 'POST /identity/customers').requestBody?.content['application/json']?.schema;
    expect(body).toMatchObject({ required: ['contacts'], properties: { contacts: { type: 'array', minItems: 1 } } });
  });
});
