import { describe, expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { addMemberAsOperator, listMembersAsOperator, removeMemberAsOperator, setRoleAsOperator } from './member-operator.service';

withFreshDatabase();

async function ownersOf({ identityId }: TestIdentity): Promise<string[]> {
  const owners = await prisma().membership.findMany({ where: { identityId, role: 'owner' } });
  return owners.map(({ userId }) => userId);
}

describe('the operator', () => {
  test('adds, changes and removes members, and lists them', async () => {
    const [identity, other] = [await createTestIdentity(), await createTestIdentity()];
    const of = { identity: identity.handle, email: other.owner.email };
    expect(await addMemberAsOperator({ ...of, role: 'viewer' })).toMatchObject({ userId: other.owner.userId, role: 'viewer' });
    await expect(addMemberAsOperator({ ...of, role: 'viewer' })).rejects.toMatchObject({ code: 'conflict' });
    await setRoleAsOperator({ ...of, role: 'owner' });
    expect((await listMembersAsOperator(identity.handle)).members.map(({ role }) => role)).toEqual(['owner', 'owner']);
    await removeMemberAsOperator(of);
    expect(await ownersOf(identity)).toEqual([identity.owner.userId]);
    await prisma().user.update({ where: { id: other.owner.userId }, data: { emailVerifiedAt: null } });
    await expect(addMemberAsOperator({ ...of, role: 'viewer' })).rejects.toThrow(/Nobody has proven that/);
    const nobody = { identity: identity.handle, email: 'nobody@x.io' };
    await expect(addMemberAsOperator({ ...nobody, role: 'admin' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(addMemberAsOperator({ ...of, identity: 'no-such-handle', role: 'admin' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
