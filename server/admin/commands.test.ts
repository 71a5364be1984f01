import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { signIn } from '@/server/features/accounts/account.service';
import { getIdentity } from '@/server/features/identity/identity.service';
import { authenticateApiKey } from '@/server/platform/auth/api-key';
import { withFreshDatabase } from '@/server/testing/database';
import { turnOnTwoFactor } from '@/server/testing/two-factor';
import { commands, UsageError, usage } from './commands';

withFreshDatabase();

const password = 'correct horse battery';

/** The command's JSON output. */
async function run(name: string, ...args: string[]): Promise<Record<string, string>> {
  const command = commands[name];
  if (!command) throw new Error(`There is no command ${name}.`);
  return (await command.run(command.parse(args))) as Record<string, string>;
}

async function createIdentity(...more: string[]): Promise<Record<string, string>> {
  const handle = `cli-${randomBytes(6).toString('hex')}`;
  return run(
    'identity create',
    '--handle',
    handle,
    '--owner-email',
    `Owner@${handle}.example`,
    '--owner-password',
    password,
    ...more,
  );
}

function refusal(name: string, ...args: string[]): string {
  try {
    commands[name]?.parse(args);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
}

describe('identity create', () => {
  test('prints the ids and the handle, and nothing else', async () => {
    const created = await createIdentity();
    expect(created).toEqual({
      identityId: expect.any(String),
      handle: expect.stringMatching(/^cli-/),
      ownerUserId: expect.any(String),
    });
    const identity = await getIdentity({ kind: 'system', identityId: created.identityId ?? '' });
    expect(identity).toMatchObject({ scope: 'identity', displayName: null, address: null, whitelistedAddresses: null });
    expect(await signIn(`owner@${created.handle}.example`, password, 'here')).toMatchObject({
      user: { id: created.ownerUserId },
    });
  });

  test.each([
    ['repeated', ['--whitelist', 'sales=S@a.example', '--whitelist', 'help=h@a.example']],
    ['with several behind one', ['--whitelist', 'sales=S@b.example', 'help=h@b.example', '--display-name', 'Quark Labs']],
    ['written with =', ['--whitelist=sales=S@c.example', '--whitelist=help=h@c.example']],
  ])('takes several whitelisted addresses, %s', async (_, args) => {
    const { identityId = '' } = await createIdentity(...args, '--scope', 'business', '--plan', 'enterprise');
    const { whitelistedAddresses, scope } = await getIdentity({ kind: 'system', identityId });
    expect(whitelistedAddresses?.map(({ handle, address }) => `${handle} ${address.replace(/@.*/, '')}`)).toEqual([
      'sales s',
      'help h',
    ]);
    expect(scope).toBe('business');
  });

  test('says what is wrong with all options, by the names they are typed with', () => {
    const message = refusal(
      'identity create',
      '--handle',
      'Not Ok',
      '--owner-password',
      'short',
      '--plan',
      'gold',
      '--whitelist',
      'x',
    );
    const named = new Set(message.split('\n').map((line) => line.split(' ')[0]));
    expect(named).toEqual(new Set(['--handle', '--owner-email', '--owner-password', '--plan', '--whitelist']));
  });

  test('knows no other options and no words without one', () => {
    expect(refusal('identity create', '--nonsense', 'x')).toContain('--nonsense');
    expect(refusal('identity create', 'word')).toContain('word');
    expect(refusal('identity create', '--handle')).toContain('--handle');
  });
});

describe('the other commands', () => {
  test('check and move files', async () => {
    expect(await run('files check', '--content')).toEqual({ files: 0, bytes: 0, missing: 0, damaged: 0, examples: [] });
    await expect(run('files move', '--to', 's3')).rejects.toThrow('FILES_URL is not set');
    expect(refusal('files move')).toBe('--to is required');
    expect(refusal('files move', '--to', 's3', '--delete-source=yes')).toContain('--delete-source');
  });

  test('set a plan', async () => {
    const { handle = '', identityId } = await createIdentity();
    expect(await run('identity set-plan', '--handle', handle, '--plan', 'solopreneur')).toEqual({
      identityId,
      plan: 'solopreneur',
    });
    await expect(run('identity set-plan', '--handle', 'nobody', '--plan', 'free')).rejects.toThrow(
      'There is no identity nobody.',
    );
    expect(refusal('identity set-plan', '--handle', 'x1', '--plan', 'gold')).toBe(
      '--plan must be one of: free, solopreneur, small_business, enterprise',
    );
  });

  test('create a key and revoke it', async () => {
    const { handle = '', identityId } = await createIdentity();
    const created = await run(
      'key create',
      '--identity',
      handle,
      '--name',
      'Importer',
      '--expires-at',
      '2099-01-01T00:00:00+01:00',
    );
    expect(created).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^sk_live_/),
      expiresAt: '2098-12-31T23:00:00.000Z',
      scopes: ['*'],
      agentId: null,
    });
    expect(await authenticateApiKey(`Bearer ${created.key}`)).toMatchObject({ identityId });
    expect(await run('key create', '--identity', handle)).toMatchObject({ expiresAt: null });
    const id = created.id ?? '';
    const revoked = await run('key revoke', '--id', id);
    expect(revoked).toEqual({ id, revokedAt: expect.any(String) });
    expect(await run('key revoke', '--id', id)).toEqual(revoked);
    await expect(run('key create', '--identity', handle, '--expires-at', '2001-01-01T00:00:00Z')).rejects.toThrow(
      'must be in the future',
    );
    await expect(run('key create', '--identity', 'nobody')).rejects.toThrow('There is no identity nobody.');
    expect(refusal('key create', '--identity', handle, '--expires-at', 'tomorrow')).toMatch(/^--expires-at must be/);
    expect(refusal('key revoke', '--id', '7')).toBe('--id must be a UUID');
  });

  test('create a key with scopes, and one of an agent', async () => {
    const { handle = '' } = await createIdentity();
    const { agentId } = await run('agent create', '--identity', handle, '--role-id', 'mara', '--name', 'Mara');
    const key = (...options: string[]) => run('key create', '--identity', handle, ...options);
    expect(await key('--scopes', 'blog:write, customers:read', '--agent', 'mara')).toMatchObject({
      scopes: ['customers:read', 'blog:write'],
      agentId,
    });
    expect(await key('--scopes', 'blog:read,*')).toMatchObject({ scopes: ['*'], agentId: null });
    await expect(key('--agent', 'nobody')).rejects.toThrow(`agent: is not the role of an agent of ${handle}: nobody`);
    for (const scopes of ['customers:read,mails:read', 'mails:read'])
      expect(refusal('key create', '--identity', handle, '--scopes', scopes)).toBe('--scopes is not a scope: "mails:read"');
    expect(refusal('key create', '--identity', handle, '--scopes', '')).toBe('--scopes is not a scope: ""');
  });

  test('set a password', async () => {
    const { handle, ownerUserId } = await createIdentity();
    const email = `owner@${handle}.example`;
    expect(await run('user set-password', '--email', ` ${email.toUpperCase()}`, '--password', 'another long password')).toEqual({
      userId: ownerUserId,
    });
    expect(await signIn(email, 'another long password', 'here')).toHaveProperty('user');
    await expect(run('user set-password', '--email', 'nobody@x.example', '--password', password)).rejects.toThrow(
      'There is no user nobody@x.example.',
    );
  });

  test('turn off the second factor of someone who lost it', async () => {
    const { handle, ownerUserId = '', identityId = '' } = await createIdentity();
    const email = `owner@${handle}.example`;
    await turnOnTwoFactor({ kind: 'session', userId: ownerUserId, sessionId: ownerUserId, identityId, role: 'owner' });
    expect(await signIn(email, password, 'here')).toEqual({ refused: 'second_factor', methods: ['app'] });
    expect(await run('user reset-two-factor', '--email', email)).toEqual({
      userId: ownerUserId,
      wasOn: true,
      passkeysRemoved: 0,
    });
    expect(await signIn(email, password, 'here')).toHaveProperty('user');
    expect(refusal('user reset-two-factor', '--email', 'nobody')).toMatch(/^--email /);
    await expect(run('user reset-two-factor', '--email', 'nobody@x.example')).rejects.toThrow(
      'There is no user nobody@x.example.',
    );
  });
});

test('the usage names every command and every option', () => {
  for (const name of Object.keys(commands)) expect(usage()).toContain(`\n  ${name} `);
  for (const option of [
    'to',
    'handle',
    'owner-email',
    'owner-password',
    'display-name',
    'address',
    'scope',
    'plan',
    'whitelist',
    'name',
    'expires-at',
    'id',
    'email',
    'password',
    'role',
  ]) {
    expect(usage()).toContain(`--${option} `);
  }
});

describe('addresses', () => {
  test('given on the command line are proven, and taken from another identity by force only, which is said', async () => {
    const acme = await createIdentity('--address', 'hello@acme.test', '--whitelist', 'sales=sales@acme.test');
    const wanted = ['--whitelist', 'im=inbox-manager@acme.test', 's=sales@acme.test'];
    await expect(createIdentity(...wanted)).rejects.toMatchObject({
      code: 'conflict',
      message: `inbox-manager@acme.test is in use by ${acme.handle}, as the address of its agent. Add --force to take it over.`,
    });
    await expect(createIdentity('--address', 'hello@acme.test', '--force')).rejects.toMatchObject({ code: 'conflict' });
    const forced = await createIdentity('--force', ...wanted);
    expect(forced.taken).toEqual([
      { address: 'inbox-manager@acme.test', from: acme.handle },
      { address: 'sales@acme.test', from: acme.handle },
    ]);
    expect(await run('address list', '--identity', acme.handle ?? '')).toEqual({
      addresses: [
        { identity: acme.handle, address: 'hello@acme.test', kind: 'own', status: 'proven', proof: 'operator', usedBy: null },
        {
          ...{ identity: acme.handle, address: 'sales@acme.test', kind: 'further', status: 'contested' },
          ...{ proof: null, usedBy: forced.handle },
        },
        {
          ...{ identity: acme.handle, address: 'inbox-manager@acme.test', kind: 'agent', status: 'refused' },
          ...{ proof: null, usedBy: forced.handle },
        },
      ],
    });
    expect(await run('address list', '--status', 'contested')).toMatchObject({ addresses: [{ address: 'sales@acme.test' }] });
    const address = ['--identity', acme.handle ?? '', '--address', 'Sales@acme.test'];
    await expect(run('address verify', ...address)).rejects.toMatchObject({ code: 'conflict' });
    expect(await run('address verify', ...address, '--force')).toEqual({
      ...{ identityId: acme.identityId, address: 'sales@acme.test', status: 'proven', takenFrom: forced.handle },
    });
    expect(refusal('address list', '--status', 'lost')).toContain('--status must be one of');
    expect(refusal('address verify', ...address, '--force=yes')).toContain('--force');
  });
});

describe('agents', () => {
  test('are created, copied and archived by their role', async () => {
    const { handle = '' } = await createIdentity('--address', 'hello@quark.example');
    const agent = ['--identity', handle, '--role-id', 'night-shift'];
    const created = await run('agent create', ...agent, '--name', 'Nora', '--kind', 'helper');
    expect(created).toEqual({ agentId: expect.any(String), roleId: 'night-shift', email: 'night-shift@quark.example' });
    expect(await run('agent duplicate', ...agent)).toMatchObject({ roleId: 'night-shift-copy' });
    expect(await run('agent archive', ...agent)).toEqual({ ...created, email: undefined, status: 'archived' });
    await expect(run('agent create', ...agent, '--name', 'Nora')).rejects.toMatchObject({ code: 'conflict' });
    for (const command of ['agent duplicate', 'agent archive']) {
      await expect(run(command, '--identity', handle, '--role-id', 'nobody')).rejects.toMatchObject({ code: 'not_found' });
      await expect(run(command, '--identity', 'nobody', '--role-id', 'x')).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(refusal('agent create', '--identity', handle, '--role-id', 'Night Shift', '--name', 'N')).toContain(
      '--role-id must be',
    );
  });
});

describe('webhook', () => {
  test('create prints its secret, list does not', async () => {
    const { handle = '' } = await createIdentity();
    const options = ['--url', 'https://8.8.8.8/hook', '--description', 'CRM'];
    const created = await run('webhook create', '--identity', handle, ...options, '--events', 'customer.*, webhook.disabled');
    expect(created).toMatchObject({ secret: expect.stringMatching(/^whsec_/), events: ['customer.*', 'webhook.disabled'] });
    const { secret: _, ...webhook } = created;
    expect(await run('webhook list', '--identity', handle)).toEqual({ webhooks: [webhook], count: 1 });
    await expect(run('webhook create', '--identity', handle, ...options, '--events', 'x')).rejects.toThrow('has no events: x');
    expect(refusal('webhook create', '--identity', handle, '--url', 'x', '--events', '*')).toContain('--url must be a URL');
  });
});
