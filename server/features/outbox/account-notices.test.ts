import { describe, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import type { Language } from '@/server/platform/languages.schema';
import '@/server/registry';
import { accountMailsTo } from '@/server/testing/account-mail';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { addTestMember } from '@/server/testing/team';
import { changePassword, setPasswordByEmail } from '../accounts/account.service';
import { deleteIdentity } from '../accounts/owned-identity.service';
import { addWhitelistedAddress } from '../addresses/further-address.service';
import { createApiKey, rotateApiKey } from '../api-keys/api-key.service';
import { invite } from '../team/invitation.service';
import { setRole } from '../team/member.service';

withFreshDatabase({ SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'https://desk.example.com' });

/** A new user, all notices sent to them, and the last one. */
async function person() {
  const { owner, ...identity } = await createTestIdentity({ displayName: 'Kettlegrain' });
  const told = async () => (await accountMailsTo(owner.email)).map(({ kind }) => kind);
  const last = async () => (await accountMailsTo(owner.email)).at(-1);
  return { owner, ...identity, told, last };
}

describe('the owner is told', () => {
  test('of a new API key, by its name and ends and never whole', async () => {
    const { actor, last, told } = await person();
    const { key, apiKey } = await createApiKey(actor, { name: 'Shop', expiresAt: null });
    expect(await told()).toEqual(['api_key_created']);
    const mail = await last();
    expect(mail?.text).toContain(`Kettlegrain has a new API key: “Shop” (${apiKey.prefix}…${apiKey.last4})`);
    expect(mail?.text).toContain('https://desk.example.com/api-keys');
    expect(mail?.text).not.toContain(key);

    await rotateApiKey(actor, { id: apiKey.id, overlapHours: 0 });
    expect(await last()).toMatchObject({ kind: 'api_key_rotated', text: expect.stringContaining('Shop') });
  });

  test('not of a key that was refused', async () => {
    const { actor, told } = await person();
    await expect(createApiKey(actor, { name: 'Old', expiresAt: '2020-01-01T00:00:00Z' })).rejects.toThrow();
    expect(await told()).toEqual([]);
  });

  test('of a further address', async () => {
    const { actor, last, handle } = await person();
    await addWhitelistedAddress(actor, { handle: 'sales', address: `sales@${handle}.example` });
    expect(await last()).toMatchObject({ kind: 'address_added', text: expect.stringContaining(`sales@${handle}.example`) });
  });

  test('of a new password, by whomever', async () => {
    const { actor, owner, last } = await person();
    await changePassword(actor, { currentPassword: owner.password, newPassword: 'another long password' }, 'here');
    expect(await last()).toMatchObject({ kind: 'password_changed', text: expect.stringContaining('in Settings') });
    expect((await last())?.text).toContain('https://desk.example.com/forgot-password');
    await setPasswordByEmail({ email: owner.email, password: 'a third long password' });
    expect(await last()).toMatchObject({ kind: 'password_changed', text: expect.stringContaining('by your administrator') });
    expect((await last())?.text).not.toContain('a third long password');
  });

  test('of a business that was deleted', async () => {
    const { actor, handle, last } = await person();
    await deleteIdentity(actor, { handle });
    expect(await last()).toMatchObject({ kind: 'business_deleted', text: expect.stringContaining('Kettlegrain') });
  });
});

describe('people get emails in their language', () => {
  const speaks = (userId: string, language: Language) => prisma().user.update({ where: { id: userId }, data: { language } });

  test('about their account', async () => {
    const { actor, owner, last } = await person();
    await speaks(owner.userId, 'de');
    await changePassword(actor, { currentPassword: owner.password, newPassword: 'another long password' }, 'here');
    expect(await last()).toMatchObject({ kind: 'password_changed', subject: 'Ihr Passwort wurde geändert' });
  });

  test('about their business, each owner in their own', async () => {
    const { owner, ...identity } = await person();
    const partner = await addTestMember(identity, 'owner');
    await speaks(partner.actor.userId, 'fr');
    await createApiKey(identity.actor, { name: 'Shop', expiresAt: null });
    expect((await accountMailsTo(owner.email)).at(-1)?.subject).toBe('An API key was created');
    expect((await accountMailsTo(partner.email)).at(-1)?.subject).toBe('Une clé API a été créée');
  });

  test('about teams; without an account, that of the person who invites', async () => {
    const { owner, ...identity } = await person();
    const other = await createTestIdentity();
    await speaks(owner.userId, 'es');
    await speaks(other.owner.userId, 'de');
    for (const email of [other.owner.email, `new@${identity.handle}.example`]) {
      await invite(identity.actor, { email, role: 'member' });
    }
    expect((await accountMailsTo(other.owner.email)).at(-1)?.subject).toBe('Einladung zu Kettlegrain bei Frontdesk');
    expect((await accountMailsTo(`new@${identity.handle}.example`)).at(-1)?.subject).toBe('Únase a Kettlegrain en Frontdesk');
    const member = await addTestMember(identity, 'member');
    await speaks(member.actor.userId, 'fr');
    await setRole(identity.actor, { userId: member.actor.userId, role: 'admin' });
    expect((await accountMailsTo(member.email)).at(-1)?.subject).toBe('Votre rôle chez Kettlegrain a été modifié');
  });
});
