import * as z from 'zod';
import { type ErrorArea, errorAreaOf } from '../http/error-body';
import type { Meta, Operation, Operations, RestOptions } from '../operations/operation';

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How to convert a query parameter's text; unconvertible text is left to fail in the schema. */
export type QueryKind = 'string' | 'number' | 'boolean';

/** An operation with its address in the REST API. */
export interface RestRoute {
  operation: Operation;
  /** Dotted name of the operation. */
  name: string;
  method: RestMethod;
  /** Below /api/v1, with `{parameters}`. */
  path: string;
  segments: { text: string; parameter: boolean }[];
  /** Undefined for one with the usual errors. */
  area: ErrorArea | undefined;
  rest: RestOptions;
  meta: Meta;
  /** Query parameters by name; empty for methods with a body, unless it is a file. */
  query: ReadonlyMap<string, QueryKind>;
  /** True if input is (also) read from the body. */
  takesBody: boolean;
}

/** The input schema of an operation. REST supports only objects, since input is combined from path, query and body. */
export function inputSchemaOf({ name, input }: Operation): z.ZodObject {
  if (!(input instanceof z.ZodObject)) throw new Error(`${name}: an operation with meta.openapi has a z.object() as its input.`);
  return input;
}

function queryKind(schema: z.core.$ZodType): QueryKind {
  const { def } = schema._zod;
  if (def.type === 'number' || def.type === 'boolean') return def.type;
  if ('innerType' in def) return queryKind(def.innerType as z.core.$ZodType);
  if (def.type === 'pipe') return queryKind((def as z.core.$ZodPipeDef).in);
  return 'string';
}

function compile(operation: Operation, areas: readonly ErrorArea[]): RestRoute | null {
  const { name, meta } = operation;
  const { openapi, rest = {} } = meta;
  if (!openapi) return null;
  const schema = inputSchemaOf(operation);
  const segments = openapi.path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? { text: part.slice(1, -1), parameter: true } : { text: part, parameter: false }));
  const parameters = new Set(segments.filter((segment) => segment.parameter).map((segment) => segment.text));
  const hasBody = openapi.method === 'POST' || openapi.method === 'PATCH' || openapi.method === 'PUT';
  const takesBody = hasBody && !rest.upload;
  const fields = Object.entries(schema.shape).filter(([field]) => !parameters.has(field));
  return {
    ...{ operation, name, rest, meta, segments },
    method: openapi.method as RestMethod,
    path: openapi.path,
    area: errorAreaOf(openapi.path, areas),
    query: new Map(takesBody ? [] : fields.map(([field, type]) => [field, queryKind(type)])),
    takesBody: takesBody && fields.length > 0,
  };
}

interface Node {
  literal: Map<string, Node>;
  parameter: Node | null;
  routes: Map<RestMethod, RestRoute>;
}

function emptyNode(): Node {
  return { literal: new Map(), parameter: null, routes: new Map() };
}

function childFor(node: Node, segment: RestRoute['segments'][number]): Node {
  if (segment.parameter) {
    node.parameter ??= emptyNode();
    return node.parameter;
  }
  const child = node.literal.get(segment.text) ?? emptyNode();
  node.literal.set(segment.text, child);
  return child;
}

export interface RouteMatch {
  /** The operations of this path by method; never empty. */
  routes: ReadonlyMap<RestMethod, RestRoute>;
  /** Decoded values of the path's parameters, in order. */
  parameters: string[];
}

/** Finds operations by path; a static segment takes precedence over a parameter. */
export interface RouteTable {
  all: readonly RestRoute[];
  /** @returns null for an unknown path */
  match(segments: string[]): RouteMatch | null;
}

function find(node: Node, segments: string[], index: number, parameters: string[]): RouteMatch | null {
  const segment = segments[index];
  if (segment === undefined) return node.routes.size > 0 ? { routes: node.routes, parameters } : null;
  const literal = node.literal.get(segment);
  const found = literal && find(literal, segments, index + 1, parameters);
  if (found) return found;
  if (!node.parameter || segment === '') return null;
  return find(node.parameter, segments, index + 1, [...parameters, segment]);
}

/**
 * Compiles every operation with `meta.openapi`.
 * @throws Error if two operations have the same method and path, or an input is unsupported
 */
export function compileRoutes(operations: Operations, areas: readonly ErrorArea[] = []): RouteTable {
  const root = emptyNode();
  const all: RestRoute[] = [];
  for (const operation of operations.values()) {
    const route = compile(operation, areas);
    if (!route) continue;
    const node = route.segments.reduce(childFor, root);
    const other = node.routes.get(route.method);
    if (other) throw new Error(`${route.name} and ${other.name} are both ${route.method} ${route.path}.`);
    node.routes.set(route.method, route);
    all.push(route);
  }
  return { all, match: (segments) => find(root, segments, 0, []) };
}
