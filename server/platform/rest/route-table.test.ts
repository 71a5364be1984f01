import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { operationsOf, publicProcedure, router } from '../trpc/trpc';
import { compileRoutes as compile, type RestMethod } from './route-table';

const compileRoutes = (of: Parameters<typeof operationsOf>[0]) => compile(operationsOf(of));

function operation(method: RestMethod, path: `/${string}`, input = z.object({})) {
  return publicProcedure
    .meta({ openapi: { method, path, summary: 'Test' } })
    .input(input)
    .output(z.object({}))
    .query(() => ({}));
}

function match(table: ReturnType<typeof compileRoutes>, path: string, method: RestMethod = 'GET') {
  const found = table.match(path.split('/').slice(1));
  return { name: found?.routes.get(method)?.name, parameters: found?.parameters };
}

describe('finding an operation', () => {
  const table = compileRoutes(
    router({
      // Parameters come first on purpose: the order of declaration must not matter.
      byId: operation('GET', '/agents/{id}', z.object({ id: z.string() })),
      deep: operation('GET', '/agents/{id}/notes/{noteId}', z.object({ id: z.string(), noteId: z.string() })),
      me: operation('GET', '/agents/me'),
      mine: operation('GET', '/agents/me/tasks'),
      list: operation('GET', '/agents'),
      create: operation('POST', '/agents'),
      remove: operation('DELETE', '/agents/{agentId}', z.object({ agentId: z.string() })),
    }),
  );

  test('a static segment wins over a parameter', () => {
    expect(match(table, '/agents/me')).toEqual({ name: 'me', parameters: [] });
    expect(match(table, '/agents/x')).toEqual({ name: 'byId', parameters: ['x'] });
  });

  test('where the static way leads nowhere, the parameter is tried', () => {
    expect(match(table, '/agents/me/notes/n')).toEqual({ name: 'deep', parameters: ['me', 'n'] });
    expect(match(table, '/agents/me/tasks')).toEqual({ name: 'mine', parameters: [] });
  });

  test('methods of one path are told apart, also where their parameters have other names', () => {
    expect(match(table, '/agents', 'POST').name).toBe('create');
    expect(match(table, '/agents/x', 'DELETE')).toEqual({ name: 'remove', parameters: ['x'] });
    expect(match(table, '/agents', 'DELETE').name).toBeUndefined();
  });

  test.each([
    '/',
    '/agent',
    '/agents/',
    '/agents//notes/n',
    '/agents/x/',
    '/Agents',
    '/AGENTS/me',
    '/agents/x/notes',
    '//agents',
    '/constructor',
    '/__proto__',
  ])('nothing is at %s', (path) => {
    expect(table.match(path.split('/').slice(1))).toBeNull();
  });

  test('any text but none is a parameter', () => {
    for (const value of ['a/b', 'ä', '.', '..', 'constructor', '__proto__', '{id}']) {
      expect(table.match(['agents', value])?.parameters).toEqual([value]);
    }
  });

  test('a full stop in a path is a full stop', () => {
    const dotted = compileRoutes(router({ feed: operation('GET', '/feed.xml') }));
    expect(match(dotted, '/feed.xml').name).toBe('feed');
    expect(match(dotted, '/feedxxml').name).toBeUndefined();
  });
});

describe('compiling', () => {
  test('refuses two operations of the same method and path, whatever their parameters are called', () => {
    const twice = router({
      one: operation('GET', '/agents/{id}', z.object({ id: z.string() })),
      two: operation('GET', '/agents/{agentId}', z.object({ agentId: z.string() })),
    });
    expect(() => compileRoutes(twice)).toThrow('two and one are both GET /agents/{agentId}');
  });

  test('refuses an input that path, query and body can not make up together', () => {
    const listInput = publicProcedure
      .meta({ openapi: { method: 'POST', path: '/x' } })
      .input(z.array(z.string()))
      .output(z.object({}))
      .mutation(() => ({}));
    expect(() => compileRoutes(router({ listInput }))).toThrow(
      'listInput: an operation with meta.openapi has a z.object() as its input',
    );
  });

  test('leaves out what has no meta.openapi', () => {
    const hidden = publicProcedure
      .input(z.object({}))
      .output(z.object({}))
      .query(() => ({}));
    expect(compileRoutes(router({ hidden })).all).toEqual([]);
  });

  test('finds the kind of each query parameter through all its wrappings', () => {
    const input = z.object({
      id: z.string(),
      limit: z.int().min(1).default(5),
      price: z.number().nullable().optional(),
      isRead: z.boolean().optional(),
      search: z.string().optional(),
      status: z.enum(['a', 'b']).default('a'),
      trimmed: z.string().transform(Number).optional(),
      checked: z.number().pipe(z.int()),
    });
    const [route] = compileRoutes(router({ list: operation('GET', '/things/{id}', input) })).all;
    expect(Object.fromEntries(route?.query ?? [])).toEqual({
      limit: 'number',
      price: 'number',
      isRead: 'boolean',
      search: 'string',
      status: 'string',
      trimmed: 'string',
      checked: 'number',
    });
    expect(route?.takesBody).toBe(false);
  });

  test('knows which operations take a body', () => {
    const id = z.object({ id: z.string() });
    const all = compileRoutes(
      router({
        write: operation('POST', '/a', z.object({ name: z.string() })),
        publish: operation('POST', '/a/{id}/publish', id),
        remove: operation('DELETE', '/a/{id}', id),
      }),
    ).all;
    expect(all.map((route) => [route.name, route.takesBody, route.query.size])).toEqual([
      ['write', true, 0],
      ['publish', false, 0],
      ['remove', false, 0],
    ]);
  });
});
