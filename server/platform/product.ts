import type { AnyTRPCRouter } from '@trpc/server';
import { removeOldAccess } from './auth/remove-old-access';
import { embeddedLogFile, rotateLog } from './db/embedded-log';
import { env } from './env';
import { type Feature, listFeatures } from './feature';
import type { HttpRoute } from './http/http-route';
import { expiryJob, type Removal } from './jobs/expiry';
import type { JobHandler } from './jobs/job';
import { expireAnswers } from './operations/remove-expired-answers';
import { RestApi } from './rest/dispatcher';
import { removeOldUsage } from './rest/remove-old-usage';
import { operationsOf } from './trpc/trpc';
import { TrpcApi } from './trpc/trpc-endpoint';

/** Makes one product of its features. */

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (whole: infer Whole) => void
  ? Whole
  : never;

/** The routers of a feature; nothing for one whose routers have no names. */
type Named<Routers> = string extends keyof Routers ? never : Routers;

/** The routers of all features in one record. */
type RoutersOf<Features extends readonly Feature[]> = Intersection<
  { [Index in keyof Features]: Named<NonNullable<Features[Index]['routers']>> }[number]
>;

/** The routers of all features, by name. */
export function routersOf<const Features extends readonly Feature[]>(features: Features): RoutersOf<Features> {
  return Object.assign({}, ...features.map(({ routers }) => routers));
}

/** What the platform itself removes. */
const platformRemovals: readonly Removal[] = [removeOldAccess, removeOldUsage, () => rotateLog(embeddedLogFile(env().DATA_DIR))];

/**
 * @param features in the order of the API's document
 * @param appRouter made of their routers; procedures with `meta.openapi` are served over REST
 * @returns what the process runs
 */
export function assemble(features: readonly Feature[], appRouter: AnyTRPCRouter) {
  listFeatures(features);
  const operations = operationsOf(appRouter);
  const rest = new RestApi(operations, {
    tags: features.flatMap(({ api }) => api?.tags ?? []),
    areas: features.flatMap(({ api }) => api?.errors ?? []),
  });
  const httpRoutes: HttpRoute[] = [
    rest,
    new TrpcApi(appRouter, operations),
    ...features.flatMap((feature) => feature.httpRoutes ?? []),
  ];
  // The most specific prefix comes first.
  httpRoutes.sort((one, other) => other.prefix.length - one.prefix.length);
  const removals = [...platformRemovals, ...features.flatMap((feature) => feature.removals ?? [])];
  const jobs: JobHandler[] = [expireAnswers, expiryJob(removals), ...features.flatMap((feature) => feature.jobs ?? [])];
  return { operations, rest, httpRoutes, jobs, removals };
}
