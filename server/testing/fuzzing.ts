import fc from 'fast-check';
import { validate as isUuid } from 'uuid';
import { type Contract, type DocumentedOperation, readContract } from './contract';
import { type Ids, pathIds } from './examples';
import { createTestIdentity, type TestIdentity } from './identity';
import { createRecords, named } from './operations';
import { within } from './patience';
import { fieldValues, type ValueOptions, valuesOf } from './schema-values';

/** Requests generated from the OpenAPI document. */

// For campaigns by hand: `FUZZ_RUNS=1000 FUZZ_SEED=7 npx vitest run server/platform/rest/fuzz`
const { FUZZ_RUNS, FUZZ_SEED } = process.env;

/** Requests per operation. */
export const fuzzRuns = Number(FUZZ_RUNS ?? 60);
/** Fixed by default, so that a run is reproducible and unrelated changes do not fail. */
export const fuzzSeed = Number(FUZZ_SEED ?? 20261121);
/** Milliseconds; longer than this many runs take. */
export const fuzzTimeout = within(10 + fuzzRuns / 10);

/** Context of an operation's requests. */
export interface Target {
  contract: Contract;
  operation: DocumentedOperation;
  caller: TestIdentity;
  /** Path parameters that refer to the caller's resources. */
  parameters: Ids;
}

/** Compiled once: compiling validators takes longer than the requests. */
let contractOfAll: Contract | undefined;

/** A separate identity for one operation, with one of each resource. */
export async function createTarget(name: string): Promise<Target> {
  contractOfAll ??= readContract();
  const contract = contractOfAll;
  const operation = contract.operations.find((each) => each.name === name);
  if (!operation) throw new Error(`${name} is served, but not documented`);
  const caller = await createTestIdentity();
  const route = named().find(([each]) => each === name)?.[1];
  return { contract, operation, caller, parameters: pathIds(route?.name ?? '', await createRecords(caller)) };
}

/** Names of all operations, for `describe.each` and `createTarget`. */
export const operationNames = named().map(([name]) => name);

const webAddresses = fc.webUrl({ withQueryParameters: true });
const month = (from: string) =>
  fc
    .date({ min: new Date(from), max: new Date(Date.parse(from) + 20 * 86_400_000), noInvalidDate: true })
    .map((date) => date.toISOString());

/** Plausible values for fields whose rules are not in a schema, which random values would nearly always violate. */
function likelyValues({ caller, parameters }: Target): ValueOptions['likely'] {
  const agentIds = fc.constant(parameters.agentId);
  return {
    ...{ url: webAddresses, website: webAddresses, avatarUrl: webAddresses },
    ...{ coverImageUrl: webAddresses, authorAvatarUrl: webAddresses },
    ...{ agentId: agentIds, authorAgentId: agentIds },
    ...{ startTime: month('2026-03-01'), endTime: month('2026-04-01') },
    ...{ startDate: month('2026-03-01'), endDate: month('2026-04-01') },
    conversationId: fc.constant(parameters.conversationId),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'),
    language: fc.constantFrom('de', 'en', 'pt-BR'),
    value: fc.integer({ min: 0, max: 365 }),
    channels: fc.subarray(['email', 'in_app'], { minLength: 1 }),
    contacts: fc
      .uniqueArray(fc.nat(), { minLength: 1, maxLength: 3 })
      .map((all) => all.map((n) => ({ email: `c${n}@x.example` }))),
    from: fc.constant(`inbox-manager@${caller.handle}.localhost`),
    totalTokens: fc.nat({ max: 100_000 }),
  };
}

export interface ValidRequest {
  /** By name. */
  query: Record<string, unknown>;
  body: unknown;
}

/** Requests that are valid by every schema of the operation. */
export function validRequests(target: Target): fc.Arbitrary<ValidRequest> {
  const { contract, operation, parameters } = target;
  const options = { schemas: contract.schemas, ids: Object.values(parameters).filter(isUuid), likely: likelyValues(target) };
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const query = fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, fieldValues(name, schema, options)])), {
    requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name),
    noNullPrototype: true,
  });
  const body: fc.Arbitrary<unknown> = operation.body ? valuesOf(operation.body, options) : fc.constant(undefined);
  return fc.record({ query, body });
}

/** The encoded path of the operation with these parameters. */
export function filledPath({ operation }: Target, parameters: Readonly<Record<string, string>>): string {
  const path = operation.path.replace(/\{(.*?)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`${operation.name}: a feature’s testing/examples.ts has to create ${name}.`);
    return value;
  });
  return `/api/v1${path}`;
}

/** An encoded query string. */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
}
