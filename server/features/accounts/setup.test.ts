import { beforeEach, describe, expect, test } from 'vitest';
import { authenticateApiKey } from '@/server/platform/auth/api-key';
import { pool } from '@/server/platform/db/pool';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { completeSetupInput } from './account.schema';
import { createIdentity, signIn } from './account.service';
import { completeSetup, createSetupToken, isSetupTokenValid, needsSetup } from './setup.service';

withFreshDatabase();

/** Each test starts with an installation without an owner. */
beforeEach(async () => {
  await queryAsOwner('TRUNCATE users, setup_tokens CASCADE');
});

const owner = { email: 'owner@first.example', password: 'correct horse battery' };

function input(token: string, changes: Record<string, unknown> = {}) {
  return completeSetupInput.parse({ ...owner, token, displayName: ' First ', handle: 'first', ...changes });
}

async function token(): Promise<string> {
  const created = await createSetupToken();
  expect(created).toMatch(/^[A-Za-z0-9_-]{32}$/);
  return created ?? '';
}

const invalid = { code: 'not_found', message: 'This setup link is no longer valid.' };

describe('setting up', () => {
  test('creates the owner, the first identity and a key that works, once', async () => {
    const link = await token();
    expect(await isSetupTokenValid(link)).toBe(true);
    const { key, apiKey } = await completeSetup(input(link));
    expect(apiKey.name).toBe('First key');
    expect(await authenticateApiKey(`Bearer ${key}`)).toMatchObject({ apiKeyId: apiKey.id });
    expect(await signIn(owner.email, owner.password, 'here')).toHaveProperty('user');
    const { rows } = await pool().query('SELECT handle, display_name, scope FROM identities');
    expect(rows).toEqual([{ handle: 'first', display_name: 'First', scope: 'business' }]);
    // The installer's addresses count as proven.
    const { rows: users } = await pool().query('SELECT is_installer FROM users');
    expect(users).toEqual([{ is_installer: true }]);

    expect(await needsSetup()).toBe(false);
    expect(await isSetupTokenValid(link)).toBe(false);
    expect(await createSetupToken()).toBeNull();
    await expect(completeSetup(input(link, { email: 'second@first.example', handle: 'second' }))).rejects.toMatchObject(invalid);
  });

  test('works with the link of any start, but with no other', async () => {
    const [first, second] = [await token(), await token()];
    expect(first).not.toBe(second);
    for (const guess of ['', 'x', `${first}x`, first.toLowerCase(), ' '.repeat(32)]) {
      expect(await isSetupTokenValid(guess)).toBe(false);
      await expect(completeSetup(input(guess))).rejects.toMatchObject(invalid);
    }
    expect(await needsSetup()).toBe(true);
    await completeSetup(input(first));
    await expect(completeSetup(input(second, { email: 'second@first.example' }))).rejects.toMatchObject(invalid);
  });

  test('at the same time, with one link or several, makes one owner', async () => {
    const links = [await token(), await token()];
    const attempts = Array.from({ length: 6 }, (_, i) =>
      completeSetup(input(links[i % 2] ?? '', { email: `owner${i}@first.example`, handle: `first-${i}` })),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(invalid);
    const { rows } = await pool().query(
      'SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM identities) AS identities',
    );
    expect(rows).toEqual([{ users: 1, identities: 1 }]);
  });

  test('is over once the command line made an identity', async () => {
    const link = await token();
    await createIdentity({
      handle: 'cli',
      ownerEmail: 'cli@first.example',
      ownerPassword: owner.password,
      scope: 'business',
      plan: 'free',
      whitelist: [],
    });
    expect(await isSetupTokenValid(link)).toBe(false);
    await expect(completeSetup(input(link))).rejects.toMatchObject(invalid);
  });

  test('stores no link, only what can check one', async () => {
    const link = await token();
    const { rows } = await pool().query<{ hash: Buffer }>('SELECT hash FROM setup_tokens');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.hash.toString('latin1')).not.toContain(link);
    expect(rows[0]?.hash).toHaveLength(32);
  });

  test.each([
    { password: 'too short' },
    { email: 'nonsense' },
    { displayName: ' ' },
    { handle: 'Not Ok' },
    { token: 'x'.repeat(201) },
  ])('wants more than %j', (changes) => {
    expect(completeSetupInput.safeParse({ ...owner, token: 'x', displayName: 'x', handle: 'first', ...changes }).success).toBe(
      false,
    );
  });
});
