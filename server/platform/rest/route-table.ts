import type { AnyTRPCRouter } from '@trpc/server';
import * as z from 'zod';
import { type Context, type Meta, type PlainProcedure, type RestOptions, runPlain } from '../trpc/trpc';
import { type ErrorArea, errorAreaOf } from './error-body';

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** How to convert a query parameter's text; unconvertible text is left to fail in the schema. */
export type QueryKind = 'string' | 'number' | 'boolean';

/** An operation of the dispatcher, compiled once from its procedure. */
export interface RestRoute {
  /** Dotted name of the procedure. */
  name: string;
  method: RestMethod;
  /** Below /api/v1, with `{parameters}`. */
  path: string;
  segments: { text: string; parameter: boolean }[];
  area: ErrorArea;
  rest: RestOptions;
  meta: Meta;
  /** Query parameters by name; empty for methods with a body. */
  query: ReadonlyMap<string, QueryKind>;
  /** True if input is (also) read from the body. */
  takesBody: boolean;
  /** The output schema. */
  output: unknown;
  /** The answer contains a secret, so it is not stored for an Idempotency-Key. */
  answersSecret: boolean;
  call(context: Context, input: unknown): Promise<unknown>;
}

/** A procedure, with the parts that we use; tRPC's types cover only its own callers. */
export interface Procedure {
  type: 'query' | 'mutation' | 'subscription';
  meta?: Meta;
  inputs: unknown[];
  output?: unknown;
  /** tRPC's resolver and middlewares. */
  resolver?: PlainProcedure['resolver'];
  middlewares?: unknown[];
  /** Runs it as tRPC does. */
  call(context: Context, input: unknown): Promise<unknown>;
}

/** A procedure in a router of tRPC. */
interface TrpcProcedure {
  _def: Omit<Procedure, 'call'>;
  (options: {
    ctx: Context;
    path: string;
    input: unknown;
    getRawInput: () => Promise<unknown>;
    type: Procedure['type'];
    signal: undefined;
    batchIndex: number;
  }): Promise<unknown>;
}

function toProcedure(path: string, procedure: TrpcProcedure): Procedure {
  const { _def: definition } = procedure;
  const call: Procedure['call'] = (ctx, input) =>
    procedure({
      ctx,
      path,
      // Filled by the schemas, so that unknown keys are dropped.
      input: undefined,
      getRawInput: async () => input,
      type: definition.type,
      signal: undefined,
      batchIndex: 0,
    });
  return { ...definition, call };
}

/** All procedures of a router by dotted name: the only place that reads tRPC's `_def`. */
export function proceduresOf(router: AnyTRPCRouter): Map<string, Procedure> {
  const procedures = router._def.procedures as unknown as Record<string, TrpcProcedure>;
  return new Map(Object.entries(procedures).map(([path, procedure]) => [path, toProcedure(path, procedure)]));
}

/** The input schema of a procedure. REST supports only objects, since input is combined from path, query and body. */
export function inputSchemaOf(name: string, { inputs }: Procedure): z.ZodObject {
  const [schema] = inputs;
  if (inputs.length !== 1 || !(schema instanceof z.ZodObject)) {
    throw new Error(`${name}: a procedure with meta.openapi has exactly one input, a z.object().`);
  }
  return schema;
}

function queryKind(schema: z.core.$ZodType): QueryKind {
  const { def } = schema._zod;
  if (def.type === 'number' || def.type === 'boolean') return def.type;
  if ('innerType' in def) return queryKind(def.innerType as z.core.$ZodType);
  if (def.type === 'pipe') return queryKind((def as z.core.$ZodPipeDef).in);
  return 'string';
}

function compile(name: string, procedure: Procedure): RestRoute | null {
  const { meta = {}, output } = procedure;
  const { openapi, rest = {}, creates } = meta;
  if (!openapi) return null;
  const schema = inputSchemaOf(name, procedure);
  const segments = openapi.path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? { text: part.slice(1, -1), parameter: true } : { text: part, parameter: false }));
  const parameters = new Set(segments.filter((segment) => segment.parameter).map((segment) => segment.text));
  const takesBody = openapi.method === 'POST' || openapi.method === 'PATCH' || openapi.method === 'PUT';
  const fields = Object.entries(schema.shape).filter(([field]) => !parameters.has(field));
  return {
    name,
    method: openapi.method as RestMethod,
    path: openapi.path,
    segments,
    area: errorAreaOf(openapi.path),
    rest,
    meta,
    query: new Map(takesBody ? [] : fields.map(([field, type]) => [field, queryKind(type)])),
    takesBody: takesBody && fields.length > 0,
    output,
    answersSecret: creates === 'secret',
    call: callerOf(name, procedure),
  };
}

function callerOf(name: string, procedure: Procedure): RestRoute['call'] {
  const plain = plainProcedureOf(procedure);
  return plain ? (ctx, input) => runPlain(plain, ctx, name, input) : procedure.call;
}

/** The guard, two schemas and the resolver; a procedure with more middlewares runs through tRPC. */
const plainMiddlewares = 4;

function plainProcedureOf({ meta, inputs, output, resolver, middlewares }: Procedure): PlainProcedure | null {
  const [input] = inputs;
  const isPlain = meta?.access === 'identity' && inputs.length === 1 && middlewares?.length === plainMiddlewares;
  if (!isPlain || !resolver || !(input instanceof z.ZodType) || !(output instanceof z.ZodType)) return null;
  return { input, output, meta, resolver };
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
 * Compiles every procedure with `meta.openapi`.
 * @throws Error if two operations have the same method and path, or an input is unsupported
 */
export function compileRoutes(router: AnyTRPCRouter): RouteTable {
  const root = emptyNode();
  const all: RestRoute[] = [];
  for (const [name, procedure] of proceduresOf(router)) {
    const route = compile(name, procedure);
    if (!route) continue;
    const node = route.segments.reduce(childFor, root);
    const other = node.routes.get(route.method);
    if (other) throw new Error(`${name} and ${other.name} are both ${route.method} ${route.path}.`);
    node.routes.set(route.method, route);
    all.push(route);
  }
  return { all, match: (segments) => find(root, segments, 0, []) };
}
