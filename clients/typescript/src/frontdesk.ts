import type { Frontdesk } from './generated/client.js';
import { operations } from './generated/operations.js';
import type { Answer, Call } from './methods.js';
import { readAll } from './paging.js';
import type { AnyOptions, Input } from './request.js';
import { type Clock, realClock } from './retry.js';
import { createTransport, type FrontdeskOptions } from './transport.js';

/** The promise of the data, with a way to what came with it. */
function callOf(answer: Promise<Answer<unknown>>): Call<unknown> {
  const data = answer.then((answered) => answered.data);
  return Object.assign(data, {
    withResponse: () => {
      data.catch(() => undefined); // whoever takes the answer hears of its failure there
      return answer;
    },
  });
}

type Method = (input?: Input, options?: AnyOptions) => unknown;

/** The client on a given clock; for tests. */
export function createOn(clock: Clock, options: FrontdeskOptions): Frontdesk {
  const send = createTransport(options, clock);
  const client: Record<string, Record<string, Method>> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const [resource = '', name = ''] = id.split('-');
    const namespace = client[resource] ?? {};
    client[resource] = namespace;
    namespace[name] = (input = {}, given = {}) => callOf(send(operation, input, given));
    if (operation.paging) namespace[`${name}All`] = (input = {}, given = {}) => readAll(send, operation, input, given);
  }
  // Table and type are written by the same script from the same document.
  return client as unknown as Frontdesk;
}

/**
 * A client of one Frontdesk installation, acting for the identity of the key.
 *
 * @throws TypeError where `baseUrl` is not an http(s) address
 */
export function createFrontdesk(options: FrontdeskOptions): Frontdesk {
  return createOn(realClock, options);
}
