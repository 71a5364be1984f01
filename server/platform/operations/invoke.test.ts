import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { Actor } from '../actor';
import { noteSecurityEvent } from '../auth/security-log';
import { AppError, type ErrorCode } from '../errors';
import { ownerOfRequest } from '../on-behalf-of';
import { logFailure } from '../outage-log';
import { accountProcedure, identityProcedure, operationsOf, publicProcedure, router } from '../trpc/trpc';
import { type Call, invoke } from './invoke';

/** The steps of a call, with operations made up for it; those of the product are in transports.test.ts. */

vi.mock('../auth/security-log', { spy: true });
vi.mock('../outage-log', { spy: true });
vi.mock('../db/pool', () => ({ pool: () => ({}) }));

const ids = { requestId: 'ours' };
const member: Actor = { kind: 'session', userId: 'u', sessionId: 's', identityId: 'i', role: 'owner', isFresh: true };
const key: Actor = {
  ...{ kind: 'apiKey', apiKeyId: 'k', identityId: 'i', ownerUserId: 'u', plan: 'free' },
  ...{ scopes: ['customers:read'], agent: null },
};

let thrown: unknown;
/** What a thing shows of another one. */
let of = 'a';

const operations = operationsOf(
  router({
    read: identityProcedure
      .meta({ scope: 'customers:read' })
      .input(z.object({ name: z.string() }))
      .output(z.object({ name: z.string() }))
      .query(({ input }) => input),
    write: identityProcedure
      .meta({ scope: 'customers:write' })
      .output(z.object({}))
      .mutation(() => ({})),
    who: identityProcedure
      .meta({ scope: 'customers:read' })
      .output(z.object({ requestId: z.string().optional(), owner: z.string() }))
      .query(({ ctx }) => ({
        requestId: 'request' in ctx.actor ? ctx.actor.request?.requestId : undefined,
        owner: ownerOfRequest(),
      })),
    leaky: publicProcedure.output(z.object({ name: z.string() })).query(() => Object.assign({ secret: 'x' }, { name: 'Ann' })),
    wrong: publicProcedure.output(z.object({ a: z.string() })).query(() => JSON.parse('{"a":5}')),
    fails: publicProcedure.output(z.object({})).query(() => {
      throw thrown;
    }),
    mine: accountProcedure
      .meta({ fresh: true })
      .output(z.object({}))
      .mutation(() => ({})),
    patient: identityProcedure
      .meta({ scope: 'customers:read' })
      .output(z.object({}))
      .query(async ({ ctx }) => {
        await ctx.readmit();
        return {};
      }),
    thing: identityProcedure
      .meta({ scope: 'agents:read', openapi: { method: 'GET', path: '/things/{id}' } })
      .input(z.object({ id: z.string() }))
      .output(z.object({ id: z.string(), revision: z.int(), of: z.string() }))
      .version({ lock: async () => 3, others: ({ of }) => of, read: async () => ({ revision: 3, updatedAt: null, others: of }) })
      .query(({ input }) => ({ ...input, revision: 3, of })),
    changeThing: identityProcedure
      .meta({ scope: 'customers:read', openapi: { method: 'PATCH', path: '/things/{id}' } })
      .input(z.object({ id: z.string() }))
      .output(z.object({}))
      .mutation(() => ({})),
    checked: publicProcedure
      .check((sent) => {
        if (Object.hasOwn(sent as object, 'id')) throw new AppError('conflict', 'The id stays.');
      })
      .explain((error) => (error.code === 'invalid_request' ? new AppError('conflict', 'Explained.') : undefined))
      .input(z.object({ a: z.string() }))
      .output(z.object({}))
      .mutation(() => ({})),
  }),
);

interface Settled {
  output?: unknown;
  error?: AppError;
}

function send(name: string, actor: Actor | null, input: unknown = {}, more: Partial<Call<Settled>> = {}): Promise<Settled> {
  const operation = operations.get(name);
  if (!operation) throw new Error(`There is no ${name}.`);
  return invoke<Settled>(operation, {
    request: { ids, requestId: 'theirs', clientAddress: '192.0.2.1' },
    ...{ subject: name, patchSemantics: 'merge', response: { headers: new Headers() }, cookies: null, ifMatch: null },
    identify: async () => actor,
    identifyAgain: async () => actor,
    read: (_actor, goOn) => goOn(input),
    answer: (output) => ({ output }),
    fail: (error) => ({ error }),
    ...more,
  });
}

beforeEach(() => {
  vi.mocked(noteSecurityEvent).mockReset();
  vi.mocked(logFailure).mockReset();
});

const code = async (settled: Promise<Settled>) => (await settled).error?.code;

test('names operations by their place', () => {
  const nested = operationsOf(router({ things: router({ read: publicProcedure.output(z.null()).query(() => null) }) }));
  expect([...nested.keys()]).toEqual(['things.read']);
  expect(nested.get('things.read')).toMatchObject({ name: 'things.read', access: 'public', type: 'query', target: undefined });
});

describe('a caller', () => {
  test('is let in by access, scope and freshness, before anything is read', async () => {
    const read = vi.fn();
    expect(await code(send('read', null, {}, { read }))).toBe('signed_out');
    expect(await code(send('write', key, {}, { read }))).toBe('insufficient_scope');
    expect(await code(send('mine', key, {}, { read }))).toBe('signed_out');
    expect(await code(send('mine', { ...member, isFresh: false }, {}, { read }))).toBe('fresh_sign_in_required');
    expect(await code(send('read', { ...member, identityId: null }, {}, { read }))).toBe('identity_not_found');
    expect(read).not.toHaveBeenCalled();
    expect(await send('read', key, { name: 'Ann' })).toEqual({ output: { name: 'Ann' } });
  });

  test('over their limits is refused before access is looked at', async () => {
    const admit = async () => {
      throw new AppError('rate_limit_exceeded', 'Wait.');
    };
    expect(await code(send('write', key, {}, { admit }))).toBe('rate_limit_exceeded');
    expect(noteSecurityEvent).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: 'rate_limited', identityId: 'i', subject: 'write', requestId: 'ours' }),
    );
  });

  test('who has waited must still be the same, and allowed', async () => {
    expect(await send('patient', member)).toEqual({ output: {} });
    for (const now of [null, { ...member, identityId: 'another' }]) {
      expect(await code(send('patient', member, {}, { identifyAgain: async () => now }))).toBe('signed_out');
    }
    const narrowed = { ...key, scopes: ['blog:read'] } as Actor;
    expect(await code(send('patient', key, {}, { identifyAgain: async () => narrowed }))).toBe('insufficient_scope');
  });

  test('carries the request, and only during it', async () => {
    const cached = { ...key };
    expect(await send('who', cached)).toEqual({ output: { requestId: 'ours', owner: 'i' } });
    expect(cached).toEqual(key);
    expect(ownerOfRequest()).toBe('');
  });
});

describe('an input', () => {
  test('is refused with the names of its fields', async () => {
    expect((await send('read', key, { name: 5 })).error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('name'),
    });
    expect(await code(send('read', key, 'a text'))).toBe('invalid_request');
    expect((await send('leaky', null, { deep: ['\u0000'] })).error).toMatchObject({
      details: { fields: { 'deep.0': expect.any(String) } },
    });
  });

  test('may be checked for what its schema drops, and its errors explained', async () => {
    expect((await send('checked', null, { id: 1, a: 'x' })).error).toMatchObject({ message: 'The id stays.' });
    expect((await send('checked', null, { a: 5 })).error).toMatchObject({ message: 'Explained.' });
    expect(await send('checked', null, { a: 'x' })).toEqual({ output: {} });
  });
});

describe('If-Match', () => {
  test('is compared with what the caller may read', async () => {
    const conditional = (actor: Actor, ifMatch: string) => send('changeThing', actor, { id: 'x' }, { ifMatch });
    expect(await code(conditional(member, '"old"'))).toBe('precondition_failed');
    for (const current of ['*', '"3"', 'W/"3"', '"3.anything"', '"2", "3"']) {
      expect(await conditional(member, current)).toEqual({ output: {} });
    }
    for (const other of ['', '3', '"3', '"03"', '"3.x.y"', '"33"', '"-3"', '"3 "', '"2.3"', ',']) {
      expect(await code(conditional(member, other))).toBe('precondition_failed');
    }
    expect((await conditional(member, '"2"')).error?.headers).toEqual({ ETag: expect.stringMatching(/^"3\.[\w-]{10}"$/) });
    expect((await conditional(key, '"old"')).error).toMatchObject({ code: 'insufficient_scope', headers: {} });
  });
});

describe('If-None-Match', () => {
  test('is answered without the record as long as nothing of its answer has changed', async () => {
    const tagged = (ifNoneMatch: string) => send('thing', member, { id: 'x' }, { ifNoneMatch, notModified: async () => ({}) });
    const { error } = await send('changeThing', member, { id: 'x' }, { ifMatch: '"2"' });
    const tag = error?.headers.ETag ?? '';
    expect(await tagged(tag)).toEqual({});
    expect(await tagged('"3"')).toHaveProperty('output');
    of = 'b';
    expect(await tagged(tag)).toHaveProperty('output');
    of = 'a';
  });
});

describe('an output', () => {
  test('has what its schema says and no more', async () => {
    expect(await send('leaky', null)).toEqual({ output: { name: 'Ann' } });
    expect(await code(send('wrong', null))).toBe('internal_error');
    expect(logFailure).toHaveBeenCalledOnce();
  });
});

describe('an error', () => {
  const failing = (error: unknown, actor: Actor | null = null) => {
    thrown = error;
    return send('fails', actor);
  };

  test('of ours is masked and logged with what was called', async () => {
    const fault = new Error('a secret of the database');
    const { error } = await failing(fault);
    expect(error).toMatchObject({ code: 'internal_error', message: expect.not.stringContaining('secret') });
    expect(logFailure).toHaveBeenCalledExactlyOnceWith(
      fault,
      { requestId: 'theirs', procedure: 'fails' },
      'request failed',
      error,
    );
  });

  test('in answering is one of the call', async () => {
    const answer = () => {
      throw new Error('no file');
    };
    expect(await code(send('leaky', null, {}, { answer }))).toBe('internal_error');
  });

  const notes = async (name: ErrorCode, actor: Actor | null, isLogged = false) => {
    vi.mocked(noteSecurityEvent).mockReset();
    await failing(new AppError(name, 'x', { isLogged }), actor);
    return vi.mocked(noteSecurityEvent).mock.calls.map(([{ kind }]) => kind);
  };

  test('is in the security log where a key is refused, or anybody is throttled', async () => {
    expect(await notes('insufficient_scope', key)).toEqual(['scope_refused']);
    expect(await notes('quota_exceeded', key)).toEqual(['rate_limited']);
    expect(await notes('rate_limit_exceeded', member)).toEqual(['rate_limited']);
    expect(await notes('rate_limit_exceeded', null)).toEqual(['rate_limited']);
    for (const [name, actor] of [
      ['insufficient_role', member],
      ['not_found', key],
      ['conflict', null],
    ] as const) {
      expect(await notes(name, actor)).toEqual([]);
    }
    // Noted already, with more about it.
    expect(await notes('rate_limit_exceeded', member, true)).toEqual([]);
  });
});
