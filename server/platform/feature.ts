import type { AnyTRPCRouter } from '@trpc/server';
import type pg from 'pg';
import type { ErrorArea } from './http/error-body';
import type { HttpRoute } from './http/http-route';
import type { Removal } from './jobs/expiry';
import type { JobHandler } from './jobs/job';
import type { ApiTag } from './rest/openapi';

type Routers = Readonly<Record<string, AnyTRPCRouter>>;

/** Ends something that was started. */
export type Stop = () => Promise<void> | void;

/**
 * What a feature adds to the product, declared in its `feature.ts`. The registry lists features and knows nothing else of them
 * (docs/adr/0035).
 */
export interface Feature<Own extends Routers = Routers> {
  /** Its folder below `server/features`. */
  name: string;
  /** Its procedures, by what their names begin with. */
  routers?: Own;
  /** HTTP routes besides procedures and pages. */
  httpRoutes?: readonly HttpRoute[];
  jobs?: readonly JobHandler[];
  /** Run once a day. */
  removals?: readonly Removal[];
  /** What the API's document says of it. */
  api?: { tags?: readonly ApiTag[]; errors?: ErrorArea };
  tables?: readonly OwnedTables[];
  /** Runs when the database is open, before the first request. */
  prepare?(): Promise<Stop> | Promise<void>;
  /** Runs when jobs run. */
  begin?(): Promise<Stop | undefined> | Promise<void>;
  /** Runs as soon as the process is to stop: ends requests that wait for something. */
  drain?(): void;
  /** Lines for the operator, printed when the server is ready. */
  notices?(): Promise<string[]>;
  /** Runs in the transaction that deletes a business, whose rows are removed later by themselves: ends what must not go on until then. */
  withdraw?(client: pg.PoolClient, identityId: string): Promise<void>;
}

/** Tables that a feature owns. Others call its service, or use SQL that it publishes in a `*.sql.ts` file. */
export interface OwnedTables {
  names: readonly string[];
  /** Other folders below `server/` whose SQL may name them. */
  sharedWith?: readonly string[];
}

/** Declares a feature with the types of its routers. */
export function feature<const Own extends Routers>(declared: Feature<Own>): Feature<Own> {
  return declared;
}

let listed: readonly Feature[] | undefined;

/** Called by the registry. */
export function listFeatures(features: readonly Feature[]): void {
  listed = features;
}

/** All features, for what concerns each of them. @throws Error if the registry is not loaded */
export function allFeatures(): readonly Feature[] {
  if (!listed) throw new Error('Features are listed by server/registry.ts.');
  return listed;
}
