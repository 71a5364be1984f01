import { beforeEach, describe, expect, test } from 'vitest';
import { verifyPassword } from '@/server/platform/auth/password';
import { readSession } from '@/server/platform/auth/session';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { addTestMember, memberCookie } from '@/server/testing/team';
import {
  acceptInvitation,
  declineInvitation,
  invite,
  joinWithNewAccount,
  readInvitation,
  removeOldInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitation.service';
import { getTeam, listMembers } from './member.service';
import { joinInput } from './team.schema';

withFreshDatabase({ PUBLIC_URL: 'http://desk.example.com', SMTP_URL: 'smtp://localhost:1' });
const call = withHttpServer();

const password = 'a long enough passphrase';
const dead = { code: 'not_found', message: expect.stringContaining('no longer works') };

let identity: TestIdentity;
let invited = 0;
const newAddress = () => `invited-${++invited}@people.example`;

beforeEach(async () => {
  identity = await createTestIdentity({ displayName: 'Harbor Lane' });
});

/** The token of the newest link mailed to an address. */
async function mailedToken(email: string): Promise<string> {
  const { mail } = await prisma().outboxMail.findFirstOrThrow({
    where: { recipients: { has: email }, kind: 'team_invitation' },
    orderBy: { createdAt: 'desc' },
  });
  const token = /\/invitation#(\S+)/.exec((mail as { text: string }).text)?.[1];
  if (!token) throw new Error('no link');
  return token;
}

async function inviteAddress(email = newAddress()): Promise<{ id: string; email: string; token: string }> {
  const { id } = await invite(identity.actor, { email, role: 'member' });
  return { id, email, token: await mailedToken(email) };
}

const roleOf = async (email: string) =>
  (await prisma().membership.findFirst({ where: { identityId: identity.identityId, user: { email } } }))?.role;

describe('an invitation', () => {
  test('is mailed as a link, and shows what it is about', async () => {
    const { email, token } = await inviteAddress();
    const mail = await prisma().outboxMail.findFirstOrThrow({ where: { recipients: { has: email } } });
    expect(mail.subject).toBe('Join Harbor Lane on Frontdesk');
    expect(await readInvitation(token)).toEqual({
      ...{ business: 'Harbor Lane', email, role: 'member', invitedBy: identity.owner.email, hasAccount: false },
    });
    const { members } = await listMembers(identity.actor);
    expect(members.at(-1)).toEqual({
      ...{ userId: null, displayName: '', email, role: 'member', status: 'invited', lastActiveAt: null },
    });
    expect((await getTeam(identity.actor)).invitations).toMatchObject([{ email, role: 'member', isExpired: false }]);
  });

  test('creates an account with a proven address for a person without one, and signs no one in', async () => {
    const { email, token } = await inviteAddress();
    expect(await joinWithNewAccount({ token, displayName: ' Ann ', password })).toEqual({ email });
    const user = await prisma().user.findUniqueOrThrow({ where: { email } });
    expect(user).toMatchObject({ displayName: 'Ann', emailVerifiedAt: expect.any(Date), isInstaller: false });
    expect(await verifyPassword(user.passwordHash, password)).toBe(true);
    expect(await roleOf(email)).toBe('member');
    expect((await getTeam(identity.actor)).invitations).toEqual([]);
  });

  test('is accepted by the account with its address, which then works for both businesses', async () => {
    const other = await createTestIdentity();
    const { token } = await inviteAddress(other.owner.email);
    expect(await readInvitation(token)).toMatchObject({ hasAccount: true });
    const cookie = await acceptInvitation(other.actor, token);
    expect(cookie).toContain(identity.identityId);
    const session = await readSession(`${await memberCookie({ ...other, email: '' })}; ${cookie.split(';')[0]}`);
    expect(session).toMatchObject({ identityId: identity.identityId, role: 'member' });
  });

  test('is not for another account, which changes nothing', async () => {
    const { email, token } = await inviteAddress();
    const stranger = await createTestIdentity();
    await expect(acceptInvitation(stranger.actor, token)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(email),
    });
    expect(await roleOf(stranger.owner.email)).toBeUndefined();
    expect(await readInvitation(token)).toMatchObject({ email });
  });

  test('creates no second account for an address that has one', async () => {
    const other = await createTestIdentity();
    const { token } = await inviteAddress(other.owner.email);
    await expect(joinWithNewAccount({ token, displayName: 'Ann', password })).rejects.toMatchObject({ code: 'conflict' });
    expect(await roleOf(other.owner.email)).toBeUndefined();
    expect(await readInvitation(token)).toMatchObject({ hasAccount: true });
  });

  test('works once, also for ten at the same time', async () => {
    const { email, token } = await inviteAddress();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => joinWithNewAccount({ token, displayName: 'Ann', password })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(['not_found', 'conflict']).toContain(outcome.reason.code);
    }
    expect(await prisma().user.count({ where: { email } })).toBe(1);
    for (const use of [readInvitation, declineInvitation]) await expect(use(token)).rejects.toMatchObject(dead);
    await expect(joinWithNewAccount({ token, displayName: 'Ann', password })).rejects.toMatchObject(dead);
  });

  test('is dead when it was altered, replaced, revoked, declined or is over', async () => {
    const { id, email, token } = await inviteAddress();
    for (const altered of [`${token}x`, token.slice(1), token.toLowerCase(), 'x']) {
      await expect(readInvitation(altered)).rejects.toMatchObject(dead);
    }
    await resendInvitation(identity.actor, id);
    await expect(readInvitation(token)).rejects.toMatchObject(dead);
    const second = await mailedToken(email);
    await pool().query(`UPDATE invitations SET expires_at = now() WHERE id = $1`, [id]);
    await expect(joinWithNewAccount({ token: second, displayName: 'Ann', password })).rejects.toMatchObject(dead);
    expect((await getTeam(identity.actor)).invitations).toMatchObject([{ isExpired: true }]);
    await resendInvitation(identity.actor, id);
    const third = await mailedToken(email);
    expect(await readInvitation(third)).toMatchObject({ email });
    await revokeInvitation(identity.actor, id);
    await expect(readInvitation(third)).rejects.toMatchObject(dead);
    const again = await inviteAddress(newAddress());
    await declineInvitation(again.token);
    await expect(readInvitation(again.token)).rejects.toMatchObject(dead);
    expect(await roleOf(email)).toBeUndefined();
  });

  test('is not used by opening its page, as scanners of mail do', async () => {
    const { email, token } = await inviteAddress();
    for (const method of ['GET', 'HEAD'] as const) {
      const input = encodeURIComponent(JSON.stringify({ token, displayName: 'Ann', password }));
      for (const name of ['accept', 'join', 'decline', 'read']) {
        const answer = await call(method, `/api/trpc/invitations.${name}?input=${input}`, {
          headers: { host: 'desk.example.com' },
        });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
      }
    }
    expect(await readInvitation(token)).toMatchObject({ email });
  });

  test('of a business that was deleted is dead', async () => {
    const { token } = await inviteAddress();
    await pool().query('UPDATE identities SET erased_at = now() WHERE id = $1', [identity.identityId]);
    await expect(readInvitation(token)).rejects.toMatchObject(dead);
  });
});

describe('inviting', () => {
  test('a member, or the same address twice, is refused', async () => {
    const member = await addTestMember(identity, 'viewer');
    await expect(invite(identity.actor, { email: member.email, role: 'admin' })).rejects.toMatchObject({
      details: { fields: { email: expect.stringContaining('member') } },
    });
    const { email } = await inviteAddress();
    await expect(invite(identity.actor, { email, role: 'viewer' })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('an owner is for owners, as are sending and revoking such an invitation', async () => {
    const admin = await addTestMember(identity, 'admin');
    const refused = { code: 'insufficient_role' };
    await expect(invite(admin.actor, { email: newAddress(), role: 'owner' })).rejects.toMatchObject(refused);
    const { id } = await invite(identity.actor, { email: newAddress(), role: 'owner' });
    await expect(resendInvitation(admin.actor, id)).rejects.toMatchObject(refused);
    await expect(revokeInvitation(admin.actor, id)).rejects.toMatchObject(refused);
  });

  test('is limited to an address and to a business in an hour', async () => {
    const { id } = await inviteAddress();
    for (let sent = 1; sent < 5; sent++) await resendInvitation(identity.actor, id);
    await expect(resendInvitation(identity.actor, id)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    const others = Array.from({ length: 40 }, () => invite(identity.actor, { email: newAddress(), role: 'viewer' }));
    const outcomes = await Promise.allSettled(others);
    const sent = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(sent.length).toBeLessThanOrEqual(25);
    expect(sent.length).toBeGreaterThan(20);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'rate_limit_exceeded', headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
    });
  });

  test('does not reach invitations of other businesses', async () => {
    const { id } = await inviteAddress();
    const stranger = await createTestIdentity();
    await expect(resendInvitation(stranger.actor, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(revokeInvitation(stranger.actor, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('a password that is easy to guess is refused and leaves the link; input that is none names its field', async () => {
  const { email, token } = await inviteAddress();
  await expect(joinWithNewAccount({ token, displayName: 'Ann', password: email })).rejects.toMatchObject({
    details: { fields: { password: expect.any(String) } },
  });
  expect(await readInvitation(token)).toMatchObject({ email });
  const { error } = joinInput.safeParse({ token, displayName: ' ', password: 'short' });
  expect(error?.issues.map(({ path }) => path[0])).toEqual(['displayName', 'password']);
});

test('expired invitations are kept for a month', async () => {
  const [kept, gone] = [await inviteAddress(), await inviteAddress()];
  const expire = (id: string, days: number) =>
    pool().query('UPDATE invitations SET expires_at = now() - make_interval(days => $2) WHERE id = $1', [id, days]);
  await expire(kept.id, 29);
  await expire(gone.id, 31);
  await removeOldInvitations();
  expect((await getTeam(identity.actor)).invitations.map(({ email }) => email)).toEqual([kept.email]);
});
