import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { stopWaiting } from '@/server/features/events/event-signals.service';
import { bodyPointer, expectDocumented } from '@/server/testing/contract';
import { withFreshDatabase } from '@/server/testing/database';
import { bodies, type Rule, rules } from '@/server/testing/examples';
import {
  createTarget,
  filledPath,
  fuzzRuns,
  fuzzSeed,
  fuzzTimeout,
  queryText,
  type Target,
  validRequests,
} from '@/server/testing/fuzzing';
import { contentOf, named } from '@/server/testing/operations';
import { withHttpServer } from '@/server/testing/rest';

/**
 * Valid requests succeed: requests allowed by the document's schemas are answered as documented, and refused only by rules that
 * a schema can't express. Those of a feature are in its examples; add a new one with its reason, or to the schema.
 */

withFreshDatabase();
const call = withHttpServer();

const writes = /^(POST|PATCH)/;

/** Of more than one feature; those of one are in its examples. */
const common: readonly Rule[] = [
  { operation: writes, problem: /: must not be empty$/, why: 'white space and invisible characters alone are no text' },
  { operation: writes, problem: /: must be a URL that starts with/, why: 'browsers have to be able to follow it' },
  { operation: /^GET/, problem: /^cursor: is not a cursor of this list/, why: 'only we write cursors' },
  { operation: /^GET/, problem: /^offset: can’t be combined with a cursor$/, why: 'two fields against each other' },
];

const refusals = [...common, ...rules];

/** The reasons of a 400 response, as `field: reason`. */
function problemsOf(body: unknown): string[] {
  const { details, message, error } = body as { details?: { fields?: Record<string, string> }; message?: string; error: string };
  if (details?.fields) return Object.entries(details.fields).map(([field, reason]) => `${field}: ${reason}`);
  return [message ?? error];
}

describe.each(named())('%s', (name, route) => {
  let target: Target;
  beforeAll(async () => {
    // Requests that wait for events are answered at once.
    stopWaiting();
    target = await createTarget(name);
  });

  test('takes what its schemas allow', { timeout: fuzzTimeout }, async () => {
    const { contract, operation, caller, parameters } = target;
    const path = filledPath(target, parameters);
    const isBody = operation.body && contract.validatorAt(bodyPointer(operation));
    let done = 0;
    const send = async (query: string, json: unknown) => {
      const content = route.rest.upload ? contentOf(route) : { json };
      const answer = await call(operation.method, query ? `${path}?${query}` : path, { key: caller.key, ...content });
      const body = expectDocumented(contract, operation.method, path, answer);
      if (answer.status < 300) done++;
      if (answer.status !== 400) return;
      for (const problem of problemsOf(body)) {
        const isKnown = refusals.some((rule) => rule.operation.test(name) && rule.problem.test(problem));
        expect(isKnown, `${name} refuses what its schema allows: ${problem}`).toBe(true);
      }
    };
    const property = fc.asyncProperty(validRequests(target), async ({ query, body }) => {
      if (isBody) expect([isBody(body), isBody.errors]).toEqual([true, null]);
      await send(queryText(query), body);
    });
    // Without input there is nothing to vary.
    const varies = operation.body !== null || operation.parameters.some((parameter) => parameter.in === 'query');
    await fc.assert(property, { numRuns: varies ? fuzzRuns : 3, seed: fuzzSeed });
    // What random values hardly meet: a picture, a type of event, an address that may be called.
    const example = bodies[route.name];
    if (done === 0 && example) await send('', example);
    expect(done, 'no request got through, so nothing was tried').toBeGreaterThan(0);
  });
});
