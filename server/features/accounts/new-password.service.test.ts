import { describe, expect, test } from 'vitest';
import { verifyPassword } from '@/server/platform/auth/password';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { changePasswordInput } from './account.schema';
import { changePassword, createIdentity, setPasswordByEmail, signIn } from './account.service';
import { hashNewPassword } from './new-password.service';
import { completeSetup, createSetupToken } from './setup.service';

withFreshDatabase();

const email = 'ann.porter@kettlegrain.example';
const refusal = (field: string, reason: string) => ({
  code: 'invalid_request',
  details: { fields: { [field]: expect.stringContaining(reason) } },
});
const tooCommon = 'one of the most common passwords';
const tooObvious = 'too easy to guess';

describe('a new password', () => {
  test.each([
    'qwerty123456', // in the first thousand
    'motherfucker',
    '1qaz2wsx3edc4rfv',
    'unbelievable',
    'passwordpassword', // the 59,939th
    'PasswordPassword',
    'Mailcreated5240',
    ' unbelievable ',
  ])('is not %j, which is among the most common', async (password) => {
    await expect(hashNewPassword(password, email, 'password')).rejects.toMatchObject(refusal('password', tooCommon));
  });

  test.each([
    'frontdesk2026',
    'Frontdesk-Frontdesk',
    'front desk 1234',
    'ann.porter@kettlegrain.example',
    'ANN.PORTER@KETTLEGRAIN.EXAMPLE!',
    'kettlegrain2026!',
    'porterporterporter',
    'Frontdesk@Kettlegrain',
  ])('is not %j, which anybody would try for this account', async (password) => {
    await expect(hashNewPassword(password, email, 'newPassword')).rejects.toMatchObject(refusal('newPassword', tooObvious));
  });

  test.each([
    'correct horse battery',
    'kettlegrain sells bitter almonds',
    'annannannann', // three letters do not count as a word of the address
    '😀😀😀😀😀😀',
    'the frontdesk closes at nine',
  ])('may be %j', async (password) => {
    expect(await verifyPassword(await hashNewPassword(password, email, 'password'), password)).toBe(true);
  });
});

describe('the one rule holds', () => {
  const common = '1qaz2wsx3edc';

  test('at setup', async () => {
    await prisma().user.deleteMany();
    const input = { token: (await createSetupToken()) ?? '', email, displayName: 'Kettlegrain', handle: 'kettlegrain' };
    await expect(completeSetup({ ...input, password: common })).rejects.toMatchObject(refusal('password', tooCommon));
    await expect(completeSetup({ ...input, password: 'frontdesk2026' })).rejects.toMatchObject(refusal('password', tooObvious));
    // The link still works.
    await expect(completeSetup({ ...input, password: 'correct horse battery' })).resolves.toHaveProperty('key');
  });

  test('when it is changed', async () => {
    const { actor, owner } = await createTestIdentity();
    const change = (newPassword: string) => changePassword(actor, { currentPassword: owner.password, newPassword }, '192.0.2.1');
    await expect(change(common)).rejects.toMatchObject(refusal('newPassword', tooCommon));
    await expect(change(owner.email)).rejects.toMatchObject(refusal('newPassword', tooObvious));
    expect(changePasswordInput.safeParse({ currentPassword: 'x', newPassword: 'eleven char' }).success).toBe(false);
  });

  test('on the command line', async () => {
    const { owner } = await createTestIdentity();
    const input = { handle: 'other', ownerEmail: email, scope: 'business', plan: 'free', whitelist: [] } as const;
    await expect(createIdentity({ ...input, whitelist: [], ownerPassword: common })).rejects.toMatchObject(
      refusal('ownerPassword', tooCommon),
    );
    await expect(setPasswordByEmail({ email: owner.email, password: common })).rejects.toMatchObject(
      refusal('password', tooCommon),
    );
  });

  test('for new passwords only: an old one goes on working', async () => {
    const { owner } = await createTestIdentity();
    const { hashPassword } = await import('@/server/platform/auth/password');
    await prisma().user.update({ where: { id: owner.userId }, data: { passwordHash: await hashPassword('qwerty') } });
    expect(await signIn(owner.email, 'qwerty', '192.0.2.7')).toHaveProperty('user');
  });
});
