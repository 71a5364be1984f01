import { describe, expect, test } from 'vitest';
import { createIdentity } from '@/server/features/accounts/account.service';
import { listAuditInput } from '@/server/features/audit/audit.schema';
import { listAudit } from '@/server/features/audit/audit.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { toAppError } from '@/server/platform/errors';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { addTestMember, memberCookie } from '@/server/testing/team';
import { getTeam, leaveTeam, listMembers, removeMember, requireTwoFactor, setRole } from './member.service';
import { addMemberAsOperator, removeMemberAsOperator, setRoleAsOperator } from './member-operator.service';
import { memberListSchema, teamSchema } from './team.schema';

withFreshDatabase({ PUBLIC_URL: 'http://desk.example.com', SMTP_URL: 'smtp://localhost:1' });
const call = withHttpServer();

const browser = { host: 'desk.example.com', origin: 'http://desk.example.com', 'sec-fetch-site': 'same-origin' };

/** Reads the dashboard with this cookie. @returns the status and error code */
async function read(cookie: string, { identityId }: Pick<TestIdentity, 'identityId'>): Promise<[number, string | undefined]> {
  const headers = { ...browser, cookie, 'x-frontdesk-identity': identityId };
  const { status, body } = await call('GET', '/api/trpc/customers.tags?input=%7B%7D', { headers });
  return [status, (body as { error?: { data: { code: string } } }).error?.data.code];
}

async function rolesOf({ identityId }: Pick<TestIdentity, 'identityId'>): Promise<Record<string, string>> {
  const found = await prisma().membership.findMany({ where: { identityId } });
  return Object.fromEntries(found.map(({ userId, role }) => [userId, role]));
}

const ownersOf = async (identity: TestIdentity) =>
  Object.entries(await rolesOf(identity)).flatMap(([userId, role]) => (role === 'owner' ? [userId] : []));

async function mailsTo(email: string): Promise<string[]> {
  const mails = await prisma().outboxMail.findMany({ where: { recipients: { has: email } }, orderBy: { createdAt: 'asc' } });
  return mails.map(({ subject }) => subject);
}

test('the person who creates a business is its owner, and the list has members by role and what is in the contract', async () => {
  const identity = await createTestIdentity();
  const viewer = await addTestMember(identity, 'viewer', 'Vic');
  const admin = await addTestMember(identity, 'admin');
  const list = memberListSchema.strict().parse(await listMembers(identity.actor));
  expect(list.members.map(({ userId, role }) => [userId, role])).toEqual([
    [identity.owner.userId, 'owner'],
    [admin.actor.userId, 'admin'],
    [viewer.actor.userId, 'viewer'],
  ]);
  expect(list.members[2]).toEqual({
    ...{ userId: viewer.actor.userId, displayName: 'Vic', email: viewer.email, role: 'viewer', status: 'active' },
    lastActiveAt: null,
  });
  const { members } = teamSchema.parse(await getTeam(viewer.actor));
  expect(members.map(({ isSelf }) => isSelf)).toEqual([false, false, true]);
});

test('agents get no addresses', async () => {
  const identity = await createTestIdentity();
  const agent = { id: identity.identityId, name: 'Mara', status: 'active' } as const;
  const { members } = await listMembers({ ...identity.apiKeyActor, agent });
  expect(members).toHaveLength(1);
  expect(JSON.stringify(members)).not.toContain('@');
  expect((await listMembers(identity.apiKeyActor)).members[0]?.email).toBe(identity.owner.email);
});

describe('a role', () => {
  test('is changed by owners and admins, who tell the member, and works with the next request', async () => {
    const identity = await createTestIdentity();
    const member = await addTestMember(identity, 'member');
    const admin = await addTestMember(identity, 'admin');
    const cookie = await memberCookie(member);
    const create = () =>
      call('POST', '/api/trpc/customers.create', {
        headers: { ...browser, cookie },
        json: { contacts: [{ email: 'ann@x.io' }] },
      });
    expect((await create()).status).toBe(200);
    await setRole(admin.actor, { userId: member.actor.userId, role: 'viewer' });
    expect((await create()).body).toMatchObject({
      error: {
        data: {
          ...{ code: 'insufficient_role', httpStatus: 403 },
          details: { required: 'customers:write', roles: ['owner', 'admin', 'member'] },
        },
      },
    });
    expect((await read(cookie, identity))[0]).toBe(200);
    expect(await mailsTo(member.email)).toEqual([expect.stringContaining('Your role at')]);
    await setRole(admin.actor, { userId: member.actor.userId, role: 'viewer' });
    expect(await mailsTo(member.email)).toHaveLength(1);
  });

  test('of owners is out of the reach of admins, as is making owners', async () => {
    const identity = await createTestIdentity();
    const admin = await addTestMember(identity, 'admin');
    const member = await addTestMember(identity, 'member');
    const before = await rolesOf(identity);
    const refused = { code: 'insufficient_role', details: { roles: ['owner'] } };
    const { userId } = identity.owner;
    await expect(setRole(admin.actor, { userId, role: 'viewer' })).rejects.toMatchObject(refused);
    await expect(setRole(admin.actor, { userId: member.actor.userId, role: 'owner' })).rejects.toMatchObject(refused);
    await expect(removeMember(admin.actor, userId)).rejects.toMatchObject(refused);
    await expect(setRole(admin.actor, { userId: admin.actor.userId, role: 'owner' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await rolesOf(identity)).toEqual(before);
  });

  test('counts as it is now, not as it was when the request began', async () => {
    const identity = await createTestIdentity();
    const admin = await addTestMember(identity, 'admin');
    const member = await addTestMember(identity, 'member');
    await setRole(identity.actor, { userId: admin.actor.userId, role: 'viewer' });
    await expect(setRole(admin.actor, { userId: member.actor.userId, role: 'admin' })).rejects.toMatchObject({
      code: 'insufficient_role',
    });
    await removeMember(identity.actor, admin.actor.userId);
    await expect(removeMember(admin.actor, member.actor.userId)).rejects.toMatchObject({ code: 'insufficient_role' });
  });

  test('of a person who is no member is not found, nor is that of another team', async () => {
    const [identity, other] = [await createTestIdentity(), await createTestIdentity()];
    for (const userId of [other.owner.userId, other.identityId]) {
      await expect(setRole(identity.actor, { userId, role: 'viewer' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(removeMember(identity.actor, userId)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

/** Tries again while locks were waited for in vain, as on a busy machine. */
async function patiently(work: () => Promise<void>, attempts = 20): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (attempts <= 1 || toAppError(error).code !== 'unavailable') throw error;
    await patiently(work, attempts - 1);
  }
}

describe('the last owner', () => {
  test('stays one, whichever way they go', async () => {
    const identity = await createTestIdentity();
    await addTestMember(identity, 'admin');
    const { userId } = identity.owner;
    const refused = { code: 'conflict', message: expect.stringContaining('needs an owner') };
    await expect(setRole(identity.actor, { userId, role: 'admin' })).rejects.toMatchObject(refused);
    await expect(leaveTeam(identity.actor)).rejects.toMatchObject(refused);
    const { owner, handle } = identity;
    await expect(removeMemberAsOperator({ identity: handle, email: owner.email })).rejects.toMatchObject(refused);
    await expect(setRoleAsOperator({ identity: handle, email: owner.email, role: 'viewer' })).rejects.toMatchObject(refused);
    expect(await ownersOf(identity)).toEqual([userId]);
  });

  test('is one of twenty that are demoted at the same time, by themselves or by each other', async () => {
    for (const byThemselves of [true, false]) {
      const identity = await createTestIdentity();
      const owners = [identity.actor];
      while (owners.length < 20) owners.push((await addTestMember(identity, 'owner')).actor);
      const outcomes = await Promise.allSettled(
        owners.map(({ userId }, index) => {
          const by = byThemselves ? owners[index] : owners[(index + 7) % owners.length];
          return patiently(() => setRole(by ?? identity.actor, { userId, role: 'viewer' }));
        }),
      );
      const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [toAppError(outcome.reason).code] : []));
      for (const code of codes) expect(['conflict', 'insufficient_role']).toContain(code);
      const left = await ownersOf(identity);
      expect(left.length).toBeGreaterThanOrEqual(1);
      if (byThemselves) expect(left).toHaveLength(1);
      const { ownerUserId } = await prisma().identity.findUniqueOrThrow({ where: { id: identity.identityId } });
      expect(left).toContain(ownerUserId);
    }
  });

  test('is kept by the database, too', async () => {
    const identity = await createTestIdentity();
    const values = [identity.identityId];
    for (const text of [
      `UPDATE memberships SET role = 'viewer' WHERE identity_id = $1`,
      'DELETE FROM memberships WHERE identity_id = $1',
    ]) {
      await expect(pool().query(text, values)).rejects.toMatchObject({ constraint: 'memberships_owner' });
    }
  });
});

test('another owner answers for the business when its owner goes, with the domains that are proven', async () => {
  const identity = await createTestIdentity({ address: 'desk@moved.example' });
  const { identityId, owner } = identity;
  const heir = await addTestMember(identity, 'owner');
  const prove = (domain: string) =>
    pool().query(`INSERT INTO domain_proofs (owner_user_id, domain, token, proven_at) VALUES ($1, $2, 't', now())`, [
      owner.userId,
      domain,
    ]);
  await prove('moved.example');
  const { ownerUserId } = await createIdentity({
    ...{ handle: `${identity.handle}-2`, ownerEmail: owner.email, existingOwner: true, address: 'desk@kept.example' },
    ...{ scope: 'business', plan: 'free', whitelist: [] },
  });
  expect(ownerUserId).toBe(owner.userId);
  await prove('kept.example');
  await leaveTeam(identity.actor);
  const found = await prisma().identity.findUniqueOrThrow({ where: { id: identityId } });
  expect(found.ownerUserId).toBe(heir.actor.userId);
  const proofs = await prisma().domainProof.findMany({ where: { domain: { in: ['moved.example', 'kept.example'] } } });
  expect(Object.fromEntries(proofs.map((proof) => [proof.domain, proof.ownerUserId]))).toEqual({
    'moved.example': heir.actor.userId,
    'kept.example': owner.userId,
  });
});

test('a member who is removed has no further request within a second, under load, and keeps their other businesses', async () => {
  const [identity, other] = [await createTestIdentity(), await createTestIdentity()];
  const member = await addTestMember(identity, 'member');
  await addMemberAsOperator({ identity: other.handle, email: member.email, role: 'viewer' });
  const cookie = await memberCookie(member);
  expect(await read(cookie, identity)).toEqual([200, undefined]);
  let isOver = false;
  const accepted: number[] = [];
  const load = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const sentAt = performance.now();
      if ((await read(cookie, identity))[0] === 200) accepted.push(sentAt);
    }
  });
  await expect.poll(() => accepted.length).toBeGreaterThan(20);
  await removeMember(identity.actor, member.actor.userId);
  const removedAt = performance.now();
  await expect.poll(() => read(cookie, identity)).toEqual([404, 'identity_not_found']);
  isOver = true;
  await Promise.all(load);
  expect(Math.max(...accepted)).toBeLessThan(removedAt + 1_000);
  expect(await read(cookie, other)).toEqual([200, undefined]);
  expect(await mailsTo(member.email)).toEqual([expect.stringContaining('You were removed from')]);
});

test('a request that waits ends when its member is removed', async () => {
  const identity = await createTestIdentity();
  const member = await addTestMember(identity, 'member');
  const headers = { ...browser, cookie: await memberCookie(member) };
  const query = (input: object) => `/api/trpc/events.read?input=${encodeURIComponent(JSON.stringify(input))}`;
  const { body } = await call('GET', query({ after: 'now', limit: 1, wait: 0 }), { headers });
  const { nextCursor } = (body as { result: { data: { nextCursor: string } } }).result.data;
  const waiting = call('GET', query({ after: nextCursor, limit: 1, wait: 2 }), { headers });
  await removeMember(identity.actor, member.actor.userId);
  expect((await waiting).status).toBe(401);
});

test('the log of changes names who changed the team, and whom', async () => {
  const identity = await createTestIdentity();
  const admin = await addTestMember(identity, 'admin', 'Ada');
  const member = await addTestMember(identity, 'member', 'Max');
  await setRole(admin.actor, { userId: member.actor.userId, role: 'viewer' });
  await removeMember(admin.actor, member.actor.userId);
  const { entries } = await listAudit(identity.actor, listAuditInput.parse({ resource: 'membership' }));
  const author = { kind: 'owner', id: admin.actor.userId, name: 'Ada' };
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'deleted', label: 'Max', author },
    { action: 'updated', label: 'Max', author, changes: [{ field: 'role', before: 'member', after: 'viewer' }] },
  ]);
});

test('a second factor is required of every member, first of the one who requires it', async () => {
  const identity = await createTestIdentity();
  const member = await addTestMember(identity, 'member');
  const cookie = await memberCookie(member);
  await expect(requireTwoFactor(identity.actor, true)).rejects.toMatchObject({ code: 'conflict' });
  const turnOn = (userId: string) =>
    prisma().twoFactor.create({ data: { userId, secret: Buffer.from('x'), enabledAt: new Date(), recoveryCodes: [] } });
  await turnOn(identity.owner.userId);
  await requireTwoFactor(identity.actor, true);
  expect(await read(cookie, identity)).toEqual([403, 'two_factor_required']);
  const userId = member.actor.userId;
  const passkey = await prisma().passkey.create({
    data: {
      ...{ userId, name: 'Key', credentialId: Buffer.from(userId), publicKey: Buffer.from('x'), transports: [] },
      ...{ rpId: 'desk.example.com', aaguid: userId, isBackupEligible: false, isBackedUp: false },
    },
  });
  expect(await read(cookie, identity)).toEqual([200, undefined]);
  await prisma().passkey.delete({ where: { id: passkey.id } });
  expect(await read(cookie, identity)).toEqual([403, 'two_factor_required']);
  await turnOn(userId);
  expect(await read(cookie, identity)).toEqual([200, undefined]);
});

test('a member without the required second factor can leave', async () => {
  const identity = await createTestIdentity();
  const member = await addTestMember(identity, 'member');
  const cookie = await memberCookie(member);
  await prisma().identity.update({ where: { id: identity.identityId }, data: { requiresTwoFactor: true } });
  expect(await read(cookie, identity)).toEqual([403, 'two_factor_required']);
  const headers = { ...browser, cookie, 'x-frontdesk-identity': identity.identityId };
  expect((await call('POST', '/api/trpc/members.team', { headers, json: {} })).status).not.toBe(200);
  expect((await call('POST', '/api/trpc/members.leave', { headers, json: {} })).status).toBe(200);
  expect(Object.keys(await rolesOf(identity))).toEqual([identity.owner.userId]);
});
