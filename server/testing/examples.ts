import { existsSync } from 'node:fs';
import * as z from 'zod';
import { inputSchemaOf } from '@/server/platform/rest/route-table';
import { features, operations, rest } from '@/server/registry';
import type { callerAs } from './caller';
import type { TestDnsServer } from './dns-server';
import type { TestIdentity } from './identity';
import type { Answer, Call } from './rest';

/**
 * What the tests of all operations and tables know of each feature (docs/adr/0035). It is declared in the feature's
 * `testing/examples.ts`, so that a new operation or table changes no list outside of its feature. The tests report what is missing.
 */
export interface Examples {
  /** A valid body of each REST operation that takes one, about the business' own records. */
  bodies?: Readonly<Record<string, object>>;
  /** Bodies that name records, where those of `bodies` name none of the business. */
  bodiesAbout?: Readonly<Record<string, (ids: Ids) => object>>;
  /** Queries that REST operations need. */
  queries?: Readonly<Record<string, (ids: Ids) => Record<string, string>>>;
  /** One of each of its records. */
  records?: {
    /** The path parameters that name them. */
    parameters: readonly string[];
    /** @returns their ids, by parameter */
    create(identity: TestIdentity): Promise<Record<string, string>>;
  };
  /** Records in the path of a REST operation, where it needs others than `records` gives for its parameters. */
  paths?: Readonly<Record<string, (ids: Ids) => Record<string, string>>>;
  /**
   * Inputs with which a procedure succeeds and writes each of its types of events. A REST operation without an entry gets its path
   * and its body.
   */
  own?: Readonly<Record<string, (own: Own) => object[] | Promise<object[]>>>;
  /**
   * Inputs that try to access another business' data: its ids and addresses in every possible field, and searches for its texts. Only
   * addresses contain the marker itself. REST operations get a further input from their path and body, and those that take no input
   * an empty one.
   */
  foreign?: Readonly<Record<string, (known: Known) => object[]>>;
  /** Queries whose answers hold nothing of a business' records: counts and states. */
  withoutRecords?: readonly string[];
  /**
   * Operations that begin a record under an id that the client chooses: the id of another business' record begins a new one. What
   * they leave of that record is tested with the feature.
   */
  begins?: readonly string[];
  /** Records with the marker in every text, made as people make them. @returns their ids, and what else inputs may name */
  fill?(business: Business): Promise<Record<string, string>>;
  /** Statements that add rows to the tables that `fill` leaves empty; `$1` is the business. */
  rows?: readonly string[];
  /** Tables without an audit trigger: counters, what follows from audited changes, and logs. */
  unaudited?: readonly string[];
  /** Tables of accounts and the installation, or those in which a business is found: they are not distributed by business. */
  reference?: readonly string[];
  /** What operations refuse although their schemas allow it. */
  rules?: readonly Rule[];
  /** How operations without a path parameter provoke the 404 that they document. */
  notFound?: Readonly<Record<string, (ask: Ask) => Promise<Answer>>>;
  /** How operations provoke a conflict other than with a request in progress, and the code of its error. */
  conflicts?: Readonly<Record<string, readonly [code: string, (ask: Ask) => Promise<Answer>]>>;
}

/** By the names of path parameters. */
export type Ids = Readonly<Record<string, string>>;

/** A business with one of each record, for operations that succeed. */
export interface Own extends TestIdentity {
  ids: Ids;
  dns: TestDnsServer;
}

/** What an intruder knows of a business. */
export interface Known extends Ids {
  identityId: string;
  handle: string;
  /** Of its owner. */
  email: string;
  /** Its own address. */
  address: string;
  domain: string;
  marker: string;
}

/** A business that is being filled. */
export interface Business extends TestIdentity {
  known: Known;
  /** Its owner, as the dashboard calls procedures. */
  as: ReturnType<typeof callerAs>;
  /** A text with the marker. */
  words: string;
}

export interface Rule {
  /** Method and path. */
  operation: RegExp;
  /** Matches the field and the reason. */
  problem: RegExp;
  why: string;
}

/** Sends requests to an operation that is documented to refuse some. */
export interface Ask {
  caller: TestIdentity;
  ids: Ids;
  /** The operation's own valid body. */
  body: object | undefined;
  /** A valid request with these changes. */
  send(changes?: Call & { query?: string }): Promise<Answer>;
  /** Any other request. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** With the key of a deleted business, while it is still cached. */
  sendWithoutIdentity(): Promise<Answer>;
}

const isDeclared = (name: string) => existsSync(`server/features/${name}/testing/examples.ts`);

/** Of each feature, by its name and in the order of the registry. */
export const examplesOf: ReadonlyMap<string, Examples> = new Map(
  await Promise.all(
    features
      .filter(({ name }) => isDeclared(name))
      .map(async ({ name }) => {
        const { examples } = (await import(`../features/${name}/testing/examples.ts`)) as { examples: Examples };
        return [name, examples] as const;
      }),
  ),
);

const all = [...examplesOf.values()];

type Part = 'bodies' | 'bodiesAbout' | 'queries' | 'paths' | 'own' | 'foreign' | 'notFound' | 'conflicts';

function merged<Name extends Part>(part: Name): NonNullable<Examples[Name]> {
  return Object.assign({}, ...all.map((examples) => examples[part]));
}

export const bodies = merged('bodies');
export const bodiesAbout = merged('bodiesAbout');
export const queries = merged('queries');
const paths = merged('paths');
const own = merged('own');
const foreign = merged('foreign');
export const notFound = merged('notFound');
export const conflicts = merged('conflicts');
export const rules = all.flatMap((examples) => examples.rules ?? []);
export const withoutRecords = all.flatMap((examples) => examples.withoutRecords ?? []);
export const begins = all.flatMap((examples) => examples.begins ?? []);
export const unaudited = all.flatMap((examples) => examples.unaudited ?? []);
export const reference = all.flatMap((examples) => examples.reference ?? []);

/** Names of examples that no test uses: their procedures no longer exist, or are not in the REST API. */
export function staleExamples(): string[] {
  const routes = new Set(rest.routes.all.map(({ name }) => name));
  const namesOf = (parts: object[]) => parts.flatMap((part) => Object.keys(part));
  return [
    ...namesOf([bodies, bodiesAbout, queries, paths, notFound, conflicts]).filter((name) => !routes.has(name)),
    ...[...namesOf([own, foreign]), ...withoutRecords, ...begins].filter((name) => !operations.has(name)),
  ];
}

/** The same record, which reports a missing entry instead of being undefined there. */
export function complete<Entries extends Ids>(entries: Entries): Entries {
  return new Proxy(entries, {
    get: (target, name) => {
      if (typeof name === 'string' && !(name in target)) {
        throw new Error(`There is no ${name}: a feature’s testing/examples.ts has to return it.`);
      }
      return Reflect.get(target, name);
    },
  });
}

/** The values of the parameters in the path of a REST operation. */
export function pathIds(name: string, ids: Ids): Ids {
  return { ...ids, ...paths[name]?.(ids) };
}

/** Path and example body of a REST operation; undefined for one that has neither, and for what is none. */
function fromRest(name: string, ids: Ids): object | undefined {
  const route = rest.routes.all.find((each) => each.name === name);
  if (!route) return undefined;
  const parameters = route.segments
    .filter(({ parameter }) => parameter)
    .map(({ text }) => [text, pathIds(name, ids)[text]] as const);
  if (parameters.length === 0 && !route.takesBody) return undefined;
  return { ...bodies[name], ...Object.fromEntries(parameters) };
}

/** Inputs of a procedure that try to access the data of `known`. */
export function foreignInputs(name: string, known: Known): object[] {
  const first = fromRest(name, known);
  const inputs = [...(first ? [first] : []), ...(foreign[name]?.(complete(known)) ?? [])];
  if (inputs.length > 0) return inputs;
  const operation = operations.get(name);
  const schema = operation && inputSchemaOf(operation);
  if (schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0) return [{}];
  throw new Error(`${name}: add inputs that name another business’ records to foreign in its feature’s testing/examples.ts.`);
}

/** Inputs with which the procedure succeeds. */
export async function ownInputs(name: string, business: Own): Promise<object[]> {
  return (await own[name]?.({ ...business, ids: complete(business.ids) })) ?? [fromRest(name, business.ids) ?? {}];
}
