import fc from 'fast-check';
import { type Contract, type DocumentedOperation, readContract } from './contract';
import { createTestIdentity, type TestIdentity } from './identity';
import { createResources, named, parametersOf } from './operations';
import { fieldValues, type ValueOptions, valuesOf } from './schema-values';

/** Requests made from the OpenAPI document. */

// biome-ignore lint/style/noProcessEnv: for campaigns by hand, as `FUZZ_RUNS=1000 FUZZ_SEED=7 npx vitest run server/platform/rest/fuzz`
const { FUZZ_RUNS, FUZZ_SEED } = process.env;

/** How often each operation is tried. */
export const fuzzRuns = Number(FUZZ_RUNS ?? 60);
/** The same requests each time, so that who breaks something sees it and nobody else does. */
export const fuzzSeed = Number(FUZZ_SEED ?? 20261121);
/** Longer than a campaign of this many runs takes. */
export const fuzzTimeout = 30_000 + fuzzRuns * 250;

/** What the requests of one operation are made for. */
export interface Target {
  contract: Contract;
  operation: DocumentedOperation;
  caller: TestIdentity;
  /** Values of path parameters that name something of the caller's. */
  parameters: Record<string, string>;
}

/** Compiled once: validators cost more than requests. */
let contractOfAll: Contract | undefined;

/** An identity of its own for one operation, with one of each resource. */
export async function createTarget(name: string): Promise<Target> {
  contractOfAll ??= readContract();
  const contract = contractOfAll;
  const operation = contract.operations.find((each) => each.name === name);
  if (!operation) throw new Error(`${name} is served, but not documented`);
  const caller = await createTestIdentity();
  return { contract, operation, caller, parameters: parametersOf(await createResources(caller)) };
}

/** Names of all operations, for `describe.each` and `createTarget`. */
export const operationNames = named().map(([name]) => name);

const webAddresses = fc.webUrl({ withQueryParameters: true });
const month = (from: string) =>
  fc
    .date({ min: new Date(from), max: new Date(Date.parse(from) + 20 * 86_400_000), noInvalidDate: true })
    .map((date) => date.toISOString());

/** What people would send, where a rule that no schema states would turn away nearly everything else. */
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

/** Requests that keep to every schema of the operation. */
export function validRequests(target: Target): fc.Arbitrary<ValidRequest> {
  const { contract, operation, parameters } = target;
  const options = { schemas: contract.schemas, ids: Object.values(parameters), likely: likelyValues(target) };
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const query = fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, fieldValues(name, schema, options)])), {
    requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name),
    noNullPrototype: true,
  });
  const body: fc.Arbitrary<unknown> = operation.body ? valuesOf(operation.body, options) : fc.constant(undefined);
  return fc.record({ query, body });
}

/** The path of the operation with these parameters, ready to be sent. */
export function filledPath({ operation }: Target, parameters: Readonly<Record<string, string>>): string {
  const path = operation.path.replace(/\{(.*?)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new Error(`${operation.name}: give the parameter ${name} a value in parametersOf().`);
    return value;
  });
  return `/api/v1${path}`;
}

/** A query as programs write it. */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
}
