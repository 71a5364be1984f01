import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { stopWaiting } from '@/server/features/events/event-signals.service';
import { bodyPointer, expectDocumented } from '@/server/testing/contract';
import { withFreshDatabase } from '@/server/testing/database';
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
import { bodies, named } from '@/server/testing/operations';
import { withHttpServer } from '@/server/testing/rest';

/**
 * Valid requests succeed: requests allowed by the document's schemas are answered as documented, and refused only by rules that
 * a schema can't express. Those are listed here; add a new one with its reason, or to the schema.
 */

withFreshDatabase();
const call = withHttpServer();

interface Rule {
  operation: RegExp;
  /** Matches the field and the reason. */
  problem: RegExp;
  why: string;
}

const writes = /^(POST|PATCH)/;

const rules: Rule[] = [
  { operation: writes, problem: /: must not be empty$/, why: 'white space and invisible characters alone are no text' },
  { operation: writes, problem: /: must be a URL that starts with/, why: 'browsers have to be able to follow it' },
  {
    operation: /^PATCH \/identity$/,
    problem: /services\.\d+\.(name|price|currency|billingInterval): is required$/,
    why: 'new services are whole',
  },
  { operation: /^PATCH \/identity$/, problem: /services\.\d+\.id: /, why: 'services are known by their ids' },
  { operation: /customers/, problem: /email: is required unless guid is given$/, why: 'a contact needs one of the two' },
  { operation: /customers/, problem: /guid: is not the guid of this e-mail address$/, why: 'guids are computed from addresses' },
  { operation: /customers$/, problem: /^search: can’t be combined with query$/, why: 'two fields against each other' },
  { operation: /hitl$/, problem: /contactInfo\.(phone|slack): is required for the channel/, why: 'a channel needs its address' },
  { operation: /hitl$/, problem: /channels\.\d+: is given twice|level: is used twice/, why: 'lists without repetition' },
  { operation: /messages$/, problem: /^from: is not an address of this identity$/, why: 'nobody writes in another one’s name' },
  { operation: /messages$/, problem: /^to: must name somebody/, why: 'a mail needs a recipient' },
  { operation: /notes$/, problem: /^mentions\.\d+: is not a member$/, why: 'refers to what is there' },
  { operation: /^PATCH \/conversations/, problem: /^assignee\.id: is not/, why: 'refers to what is there' },
  { operation: /conversations\/delete$/, problem: /^ids: is required, or/, why: 'one of three fields' },
  { operation: /^GET \/conversations$/, problem: /^assignee: can be me only/, why: 'an ordinary key is nobody’s' },
  { operation: /blog\/posts/, problem: /^authorAgentId: is not an agent of this identity$/, why: 'refers to what is there' },
  { operation: /blog\/images/, problem: /^content: (must be base64|This is not an image)/, why: 'bytes of a picture' },
  { operation: /blog\/settings/, problem: /^language: must be a language tag/, why: 'BCP 47' },
  { operation: /events/, problem: /^timezone: must be an IANA time zone/, why: 'the list of zones is not ours' },
  { operation: /calendar/, problem: /^end(Time|Date): must (be after|not be before)/, why: 'two fields against each other' },
  { operation: /calendar/, problem: /: must be in the years /, why: 'what every calendar program can show' },
  { operation: /events/, problem: /reminders\.\d+\.value: must be at most a year/, why: 'two fields against each other' },
  { operation: /events/, problem: /^invitees\.\d+\.displayName: must be the same as name/, why: 'two fields against each other' },
  { operation: /events/, problem: /^recurrenceEndDate: /, why: 'a series does not end before it starts' },
  { operation: /^GET \/calendar\/events$/, problem: /: is required with expand$/, why: 'a series has no end' },
  { operation: /^GET \/calendar/, problem: /^endTime: must be at most/, why: 'two fields against each other' },
  {
    operation: /usage\/track$/,
    problem: /: is required( unless promptTokens and completionTokens are given)?$/,
    why: 'depends on type',
  },
  {
    operation: /usage\/track$/,
    problem: /^totalTokens: must be the sum|: makes a sum too large/,
    why: 'two fields against each other',
  },
  { operation: /^GET/, problem: /^cursor: is not a cursor of this list/, why: 'only we write cursors' },
  { operation: /^GET/, problem: /^offset: can’t be combined with a cursor$/, why: 'two fields against each other' },
  { operation: /event-log$/, problem: /^after: is not a cursor/, why: 'only we write cursors' },
  { operation: /event-log$/, problem: /^types: /, why: 'refers to what is there' },
  { operation: /webhooks/, problem: /^(events|type): /, why: 'refers to what is there' },
  { operation: /webhooks/, problem: /^url: /, why: 'the rules of addresses are not those of a schema' },
  { operation: /webhooks/, problem: /^status: /, why: 'one may stay disabled, but not become it' },
  { operation: /recover$/, problem: /^since: /, why: 'events are kept for a time' },
  { operation: /email\/thread$/, problem: /./, why: 'needs one of its two ids' },
];

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
      const answer = await call(operation.method, query ? `${path}?${query}` : path, { key: caller.key, json });
      const body = expectDocumented(contract, operation.method, path, answer);
      if (answer.status < 300) done++;
      if (answer.status !== 400) return;
      for (const problem of problemsOf(body)) {
        const isKnown = rules.some((rule) => rule.operation.test(name) && rule.problem.test(problem));
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
