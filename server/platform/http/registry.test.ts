import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { features, operations, rest } from '@/server/registry';
import { callAs } from '../../testing/caller';
import { withFreshDatabase } from '../../testing/database';
import type { Actor } from '../actor';
import { keyScopes, teamScopes } from '../auth/scopes.schema';
import type { Access } from '../operations/operation';
import { inputSchemaOf } from '../rest/route-table';

/** Rules for every procedure, including future ones. */

withFreshDatabase();

const accesses: Access[] = ['identity', 'dashboard', 'account', 'public'];
const procedures = [...operations];
const published = procedures.filter(([, { meta }]) => meta?.openapi);
const routes = rest.routes.all;

test('every feature is listed, and none has the name of another one’s router', () => {
  const files = readdirSync('server/features', { recursive: true, encoding: 'utf8' });
  const manifests = files.filter((file) => file.endsWith('feature.ts')).map((file) => file.split('/')[0]);
  expect(features.map(({ name }) => name).sort()).toEqual(manifests.sort());
  const routers = features.flatMap((feature) => ('routers' in feature ? Object.keys(feature.routers ?? {}) : []));
  expect(new Set(routers).size).toBe(routers.length);
});

/** Procedures without authentication. A new one needs a reason here. */
const reviewedPublic = [
  'setup.status', // whether /setup is needed
  'setup.complete', // needs the link printed on the operator's terminal
  'passkeys.beginSignIn', // a challenge, which changes nothing until a passkey answers it
  'passkeys.origin', // whether the page may offer passkeys
  'recovery.status', // the options of the page
  'recovery.requestPasswordReset', // throttled; the link goes to the account's address only
  'recovery.readPasswordLink', // needs the link
  'recovery.resetPassword', // needs the link
  'invitations.read', // needs the link
  'invitations.join', // needs the link, and creates an account for its address only
  'invitations.decline', // needs the link
  'singleSignOn.options', // what the sign-in page offers
  'singleSignOn.join', // leads to the provider; needs the link afterwards; throttled
  'singleSignOn.enterCode', // needs the sealed cookie of a first step, and a code; throttled
];

/** Names of changes that grant or revoke access, or are irreversible: a session needs a fresh sign-in for them. */
const sensitive =
  /^(apiKeys|members|singleSignOn|twoFactor|passkeys|webhooks|policy|policies|mailboxes|mailboxClients|agentMail)\.|address|feed|deleteIdentity/i;

/** Sensitive by name only. A new one needs a reason here. */
const reviewedStale: string[] = [
  'identity.checkAddressDomain', // reads a public record of an address that needed a fresh sign-in to add
  'identity.confirmAddressCode', // needs a code, which may arrive after more than ten minutes
  'singleSignOn.confirm', // makes the session fresh, at the provider
  'singleSignOn.join', // is for people without an account
  'singleSignOn.enterCode', // is part of signing in
  'identity.sendAddressCode', // a mail to an address that needed a fresh sign-in to add
  'passkeys.beginConfirmation', // a challenge, for what makes a session fresh
  'passkeys.beginSignIn', // a challenge for who is not signed in
  'passkeys.confirm', // makes a session fresh
  'mailboxes.finishSignIn', // needs the sealed cookie of a beginning that needed a fresh sign-in
  'mailboxes.read', // tries a stored connection again
  'members.setSignature', // a text below emails
  'passkeys.rename', // a label
];

test('there is something to check', () => {
  expect(procedures.length).toBeGreaterThan(10);
  expect(published.length).toBeGreaterThanOrEqual(10);
});

test('changes of keys, addresses, feeds and second factors want a fresh sign-in, and so does deleting a business', () => {
  const named = procedures.filter(([name, { type }]) => type === 'mutation' && sensitive.test(name));
  const stale = named.filter(([, { meta }]) => !meta?.fresh).map(([name]) => name);
  expect(stale.sort()).toEqual([...reviewedStale].sort());
});

describe.each(procedures)('%s', (name, procedure) => {
  test('declares who may call it, its input and its output', () => {
    expect(accesses).toContain(procedure.access);
    expect(procedure.output).toBeInstanceOf(z.ZodType);
    expect(() => inputSchemaOf(procedure)).not.toThrow();
  });

  test('declares the scope that keys and roles need, unless it is of an account or for everyone', () => {
    const {
      access,
      meta: { scope },
    } = procedure;
    if (access === 'identity' || access === 'dashboard') expect([...keyScopes, ...teamScopes]).toContain(scope);
    else expect(scope).toBeUndefined();
  });

  test('says what it is for before it says how', () => {
    expect(name).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
    expect(['query', 'mutation']).toContain(procedure.type);
  });

  test('turns away whom it is not for, before looking at the input', async () => {
    const { access } = procedure;
    const outcome = (actor: Actor | null) => codeOf(name, actor);
    const apiKey = {
      kind: 'apiKey',
      apiKeyId: 'x',
      identityId: 'x',
      ownerUserId: 'x',
      plan: 'free',
      scopes: ['*'],
      agent: null,
    } as const;
    if (access === 'public') expect(reviewedPublic).toContain(name);
    else expect(await outcome(null)).toBe('signed_out');
    if (access === 'dashboard' || access === 'account') expect(await outcome(apiKey)).toBe('signed_out');
    if (access === 'dashboard' || access === 'identity') {
      expect(await outcome({ kind: 'session', userId: 'x', sessionId: 'x', identityId: null, role: null })).toBe(
        'identity_not_found',
      );
    }
    if (procedure.meta.fresh) {
      expect(await outcome({ kind: 'session', userId: 'x', sessionId: 'x', identityId: 'x', role: 'owner' })).toBe(
        'fresh_sign_in_required',
      );
    }
  });
});

/** The error code of a procedure for an invalid input; undefined for no error. */
async function codeOf(name: string, actor: Actor | null): Promise<string | undefined> {
  const error = await callAs(actor, name, 'no procedure takes a text').then(
    () => undefined,
    (reason: { cause?: { code?: string } }) => reason,
  );
  return error?.cause?.code;
}

describe.each(published)('%s over REST', (_, definition) => {
  const openapi = definition.meta.openapi;
  const path = openapi?.path ?? '';
  const parameters = [...path.matchAll(/\{([^}]*)\}/g)].map(([, parameter]) => parameter ?? '');

  test('acts for one identity', () => {
    expect(definition.access).toBe('identity');
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
    const { shape } = inputSchemaOf(definition);
    for (const parameter of parameters) {
      expect(Object.keys(shape)).toContain(parameter);
      expect(shape[parameter]?.safeParse(undefined).success).toBe(false);
    }
    expect(new Set(parameters).size).toBe(parameters.length);
  });

  test('never takes an identityId: the key has one', () => {
    expect(Object.keys(inputSchemaOf(definition).shape)).not.toContain('identityId');
  });
});

test('each method and path is served once, and a static path is never hidden by one with parameters', () => {
  expect(new Set(routes.map((route) => `${route.method} ${route.path.replace(/\{[^}]*\}/g, '{}')}`)).size).toBe(routes.length);
  for (const route of routes) {
    const segments = route.segments.map((segment) => (segment.parameter ? 'some-value' : segment.text));
    expect(rest.routes.match(segments)?.routes.get(route.method)?.name).toBe(route.name);
  }
});
