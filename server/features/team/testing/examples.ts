import { prisma } from '@/server/platform/db/prisma';
import { newDomain } from '@/server/testing/addresses';
import type { Examples, Own } from '@/server/testing/examples';
import { addTestMember } from '@/server/testing/team';
import { invite } from '../invitation.service';

const colleague = async (own: Own) => (await addTestMember(own, 'member')).actor.userId;

const invitation = async ({ actor }: Own) => [
  { id: (await invite(actor, { email: `invited@${newDomain()}`, role: 'member' })).id },
];

export const examples: Examples = {
  own: {
    'members.setRole': async (own) => [{ userId: await colleague(own), role: 'viewer' }],
    'members.remove': async (own) => [{ userId: await colleague(own) }],
    'members.leave': async (own) => {
      await addTestMember(own, 'owner');
      return [{}];
    },
    'members.requireTwoFactor': () => [{ isRequired: false }],
    'members.setSignature': () => [{ signature: 'Ann' }],
    'members.invite': () => [{ email: `invited@${newDomain()}`, role: 'member' }],
    'members.resendInvitation': invitation,
    'members.revokeInvitation': invitation,
  },
  foreign: {
    'members.setRole': ({ memberId }) => [{ userId: memberId, role: 'viewer' }],
    'members.remove': ({ memberId }) => [{ userId: memberId }],
    'members.setSignature': () => [{ signature: 'x' }],
    'members.requireTwoFactor': () => [{ isRequired: true }, { isRequired: false }],
    'members.invite': ({ customerEmail }) => [{ email: customerEmail, role: 'member' }],
    'members.resendInvitation': ({ invitationId }) => [{ id: invitationId }],
    'members.revokeInvitation': ({ invitationId }) => [{ id: invitationId }],
    'invitations.read': () => [{ token: 'x' }],
    'invitations.accept': () => [{ token: 'x' }],
    'invitations.join': () => [{ token: 'x', displayName: 'Me', password: 'another long password' }],
    'invitations.decline': () => [{ token: 'x' }],
  },
  async fill({ as, identityId, known: { domain }, words }) {
    await as.members.setSignature({ signature: words });
    const { id: invitationId } = await as.members.invite({ email: `invited@${domain}`, role: 'member' });
    const membership = { create: { identityId, role: 'member' } } as const;
    const member = { email: `member@${domain}`, displayName: words, passwordHash: 'none', memberships: membership };
    return { invitationId, memberId: (await prisma().user.create({ data: member })).id };
  },
  reference: ['memberships', 'invitations'],
};
