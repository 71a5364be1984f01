import type { RestRoute } from '@/server/platform/rest/route-table';
import { features, rest } from '@/server/registry';
import type { TestDnsServer } from './dns-server';
import { bodies, bodiesAbout, complete, examplesOf, type Ids, type Own, pathIds, queries } from './examples';
import { createTestIdentity, type TestIdentity } from './identity';
import type { Call } from './rest';

/** Helpers for tests of all API operations. */

export function pathOf(route: RestRoute, ids: Ids): string {
  const segments = route.segments.map(({ text, parameter }) => (parameter ? complete(pathIds(route.name, ids))[text] : text));
  return `/api/v1/${segments.join('/')}`;
}

export function bodyOf(route: RestRoute): object | undefined {
  if (!route.takesBody) return undefined;
  const body = bodies[route.name];
  if (!body) throw new Error(`${route.name}: give it an example in bodies.`);
  return body;
}

/** What a valid request of the operation sends: its body as JSON, a file, or nothing. @param ids records that it is about */
export function contentOf(route: RestRoute, ids?: Ids): Call {
  return route.rest.upload
    ? { body: 'Hello', headers: { 'content-type': 'text/plain' } }
    : { json: (ids && bodiesAbout[route.name]?.(complete(ids))) ?? bodyOf(route) };
}

/** What the operation needs in its query, encoded; empty for most. */
export function queryOf(route: RestRoute, ids: Ids): string {
  return new URLSearchParams(queries[route.name]?.(complete(ids))).toString();
}

const creators = [...examplesOf].flatMap(([name, { records }]) => (records ? [{ name, ...records }] : []));

async function createBy(list: typeof creators, identity: TestIdentity): Promise<Ids> {
  const ids: Record<string, string> = {};
  for (const { create } of list) Object.assign(ids, await create(identity));
  return ids;
}

/** Creates one of each record for this identity. @returns their ids, by path parameter */
export function createRecords(identity: TestIdentity): Promise<Ids> {
  return createBy(creators, identity);
}

/** Creates what a request of this operation names, which takes a fraction of the time that one of each takes. */
export function createRecordsFor(identity: TestIdentity, route: RestRoute): Promise<Ids> {
  const named = route.segments.flatMap(({ text, parameter }) => (parameter ? [text] : []));
  const owner = features.find(({ routers = {} }) => Object.keys(routers).includes(route.name.split('.')[0] ?? ''))?.name;
  const needed = creators.filter(({ name, parameters }) => name === owner || parameters.some((each) => named.includes(each)));
  return createBy(needed, identity);
}

let created = 0;

/** A business with one of each record, for operations that succeed. */
export async function createOwn(dns: TestDnsServer): Promise<Own> {
  const handle = `own-${++created}`;
  // At the domain to which mail for a record's test is sent.
  const identity = await createTestIdentity({ handle, address: `desk@${handle}.localhost` });
  return { ...identity, ids: await createRecords(identity), dns };
}

/** Operations with their names, for `describe.each`. */
export function named(list: readonly RestRoute[] = rest.routes.all): (readonly [string, RestRoute])[] {
  return list.map((route) => [`${route.method} ${route.path}`, route] as const);
}
