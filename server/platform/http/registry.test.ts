import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { rest } from '@/server/registry';
import { appRouter } from '../../registry';
import { withFreshDatabase } from '../../testing/database';
import type { Actor } from '../actor';
import { compileRoutes, inputSchemaOf, type Procedure, proceduresOf } from '../rest/route-table';
import type { Context, Scope } from '../trpc/trpc';

/** Rules for every procedure, including future ones. */

withFreshDatabase();

const scopes: Scope[] = ['identity', 'dashboard', 'account', 'public'];
const procedures = [...proceduresOf(appRouter)];
const published = procedures.filter(([, { meta }]) => meta?.openapi);
const routes = compileRoutes(appRouter).all;

/** Procedures without authentication. A new one needs a reason here. */
const reviewedPublic = [
  'setup.status', // whether /setup is needed
  'setup.complete', // needs the link printed on the operator's terminal
  'recovery.status', // the options of the page
  'recovery.requestPasswordReset', // throttled; the link goes to the account's address only
  'recovery.readPasswordLink', // needs the link
  'recovery.resetPassword', // needs the link
];

/** Changes that grant or revoke access, or are irreversible: a session needs a fresh sign-in. */
const fresh = [
  'account.deleteIdentity',
  'apiKeys.create',
  'apiKeys.revoke',
  'apiKeys.rotate',
  'calendar.renewFeed',
  'calendar.revokeFeed',
  'identity.addAddress',
  'identity.removeAddress',
  'identity.useAsOwnAddress',
  'twoFactor.begin',
  'twoFactor.disable',
  'twoFactor.enable',
  'twoFactor.renewRecoveryCodes',
];

/** Names of changes that must be in the list. */
const sensitive = /^(apiKeys|twoFactor|webhooks|policy|policies|mailboxes)\.|address|feed|deleteIdentity/i;

/** Sensitive by name only. A new one needs a reason here. */
const reviewedStale: string[] = [
  'identity.checkAddressDomain', // reads a public record of an address that needed a fresh sign-in to add
  'identity.confirmAddressCode', // needs a code, which may arrive after more than ten minutes
  'identity.sendAddressCode', // a mail to an address that needed a fresh sign-in to add
];

test('there is something to check', () => {
  expect(procedures.length).toBeGreaterThan(10);
  expect(published.length).toBeGreaterThanOrEqual(10);
});

test('changes of keys, addresses, feeds and second factors want a fresh sign-in, and so does deleting a business', () => {
  const declared = procedures.filter(([, { meta }]) => meta?.fresh).map(([name]) => name);
  expect(declared.sort()).toEqual(fresh);
  const changes = procedures.filter(([, { type }]) => type === 'mutation').map(([name]) => name);
  const missing = changes.filter((name) => sensitive.test(name) && !fresh.includes(name) && !reviewedStale.includes(name));
  expect(missing).toEqual([]);
});

describe.each(procedures)('%s', (name, procedure) => {
  test('declares its scope, input and output', () => {
    expect(scopes).toContain(procedure.meta?.scope);
    expect(procedure.output).toBeInstanceOf(z.ZodType);
    expect(() => inputSchemaOf(name, procedure)).not.toThrow();
  });

  test('says what it is for before it says how', () => {
    expect(name).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
    expect(procedure.type).not.toBe('subscription');
  });

  test('turns away whom its scope does not admit, before looking at the input', async () => {
    const scope = procedure.meta?.scope;
    const outcome = (actor: Actor | null) => codeOf(procedure, actor);
    const apiKey = { kind: 'apiKey', apiKeyId: 'x', identityId: 'x', plan: 'free' } as const;
    if (scope === 'public') expect(reviewedPublic).toContain(name);
    else expect(await outcome(null)).toBe('signed_out');
    if (scope === 'dashboard' || scope === 'account') expect(await outcome(apiKey)).toBe('signed_out');
    if (scope === 'dashboard' || scope === 'identity') {
      expect(await outcome({ kind: 'session', userId: 'x', sessionId: 'x', identityId: null })).toBe('identity_not_found');
    }
    if (procedure.meta?.fresh) {
      expect(await outcome({ kind: 'session', userId: 'x', sessionId: 'x', identityId: 'x' })).toBe('fresh_sign_in_required');
    }
  });
});

/** The error code of a procedure for an invalid input; undefined for no error. */
async function codeOf(procedure: Procedure, actor: Actor | null): Promise<string | undefined> {
  const ctx: Context = {
    actor,
    requestId: 'x',
    patchSemantics: 'merge',
    response: { headers: new Headers() },
    clientAddress: 'x',
  };
  const error = await procedure.call(ctx, 'no procedure takes a text').then(
    () => undefined,
    (reason: { cause?: { code?: string } }) => reason,
  );
  return error?.cause?.code;
}

describe.each(published)('%s over REST', (name, definition) => {
  const openapi = definition.meta?.openapi;
  const path = openapi?.path ?? '';
  const parameters = [...path.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter ?? '');

  test('acts for one identity', () => {
    expect(definition.meta?.scope).toBe('identity');
  });

  test('is described', () => {
    expect(openapi?.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(openapi?.tags?.length).toBeGreaterThan(0);
    const { tags } = rest.document() as { tags: { name: string }[] };
    for (const tag of openapi?.tags ?? []) expect(tags.map((known) => known.name)).toContain(tag);
  });

  test('reads with GET and changes with the other methods', () => {
    expect(definition.type).toBe(openapi?.method === 'GET' ? 'query' : 'mutation');
  });

  test('has a path in lower case whose parameters are whole segments and required fields', () => {
    expect(path).toMatch(/^(\/([a-z][a-z.-]*|\{[a-z][A-Za-z]*\}))+$/);
    const { shape } = inputSchemaOf(name, definition);
    for (const parameter of parameters) {
      expect(Object.keys(shape)).toContain(parameter);
      expect(shape[parameter]?.safeParse(undefined).success).toBe(false);
    }
    expect(new Set(parameters).size).toBe(parameters.length);
  });

  test('never takes an identityId: the key has one', () => {
    expect(Object.keys(inputSchemaOf(name, definition).shape)).not.toContain('identityId');
  });
});

test('each method and path is served once, and a static path is never hidden by one with parameters', () => {
  const table = compileRoutes(appRouter);
  expect(new Set(routes.map((route) => `${route.method} ${route.path.replace(/\{[^}]*\}/g, '{}')}`)).size).toBe(routes.length);
  for (const route of routes) {
    const segments = route.segments.map((segment) => (segment.parameter ? 'some-value' : segment.text));
    expect(table.match(segments)?.routes.get(route.method)?.name).toBe(route.name);
  }
});
