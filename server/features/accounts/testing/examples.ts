import { randomUUID } from 'node:crypto';
import { prisma } from '@/server/platform/db/prisma';
import type { Examples } from '@/server/testing/examples';
import { smallPicture } from '@/server/testing/small-picture';

const password = 'correct horse battery';
const unsigned = { id: 'AAAA', response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' } };

export const examples: Examples = {
  own: {
    'account.createIdentity': ({ handle }) => [{ displayName: 'New', handle: `${handle}-2` }],
    'account.deleteIdentity': ({ handle }) => [{ handle }],
  },
  foreign: {
    'account.changePassword': () => [{ currentPassword: password, newPassword: 'another long password' }],
    'account.changeEmail': ({ email }) => [{ currentPassword: password, email }],
    'account.readEmailLink': () => [{ token: 'x' }],
    'account.confirmEmail': () => [{ token: 'x' }],
    'account.endSession': ({ sessionId }) => [{ id: sessionId }],
    'account.endOtherSessions': () => [{}, { calendarLinks: true }],
    'account.signOutEverywhere': () => [{}, { calendarLinks: true }],
    'account.switchIdentity': ({ identityId }) => [{ identityId }],
    'account.createIdentity': ({ handle }) => [{ displayName: 'Mine', handle }],
    'account.deleteIdentity': ({ handle }) => [{ handle }],
    'account.confirm': () => [{ currentPassword: password }, { currentPassword: password, code: '123456' }],
    'account.updateProfile': () => [{ displayName: 'Me' }, { timeZone: 'Europe/Berlin', language: 'de' }],
    'account.setPhoto': () => [{ content: smallPicture }],
    'recovery.requestPasswordReset': ({ email }) => [{ email }],
    'recovery.readPasswordLink': () => [{ token: 'x' }],
    'recovery.resetPassword': () => [{ token: 'x', newPassword: 'another long password' }],
    'singleSignOn.enterCode': () => [{ code: '123456' }, { passkey: unsigned }],
    'singleSignOn.join': () => [{ token: 'x' }],
    'singleSignOn.connect': () => [{ returnTo: '/settings' }],
    'singleSignOn.confirm': () => [{ returnTo: '/settings' }, { returnTo: '/settings', code: '123456' }],
    'twoFactor.enable': () => [{ code: '123456' }],
    'passkeys.add': () => [{ credential: { id: 'AAAA', response: { clientDataJSON: 'e30', attestationObject: 'oA' } } }],
    'passkeys.rename': ({ passkeyId }) => [{ id: passkeyId, name: 'Mine' }],
    'passkeys.remove': ({ passkeyId }) => [{ id: passkeyId }],
    'passkeys.confirm': ({ marker }) => [
      { answer: unsigned },
      // The credential id of theirs.
      { answer: { ...unsigned, id: Buffer.from(marker).toString('base64url') } },
    ],
    'setup.status': () => [{ token: 'x' }],
    'setup.complete': ({ email }) => [
      { token: 'x', email, password: 'another long password', displayName: 'Mine', handle: 'mine-now' },
    ],
  },
  withoutRecords: [
    'setup.status',
    'recovery.status',
    'passkeys.origin',
    'twoFactor.status',
    'singleSignOn.options',
    'singleSignOn.status',
  ],
  async fill({ actor: { userId, sessionId }, known: { marker, domain }, words }) {
    await prisma().session.create({ data: { id: sessionId, userId, userAgent: words } });
    const passkey = await prisma().passkey.create({
      data: {
        ...{ userId, name: words, credentialId: Buffer.from(marker), publicKey: Buffer.from(marker) },
        ...{ transports: [], rpId: domain, aaguid: randomUUID(), isBackupEligible: false, isBackedUp: false },
      },
    });
    return { sessionId, passkeyId: passkey.id };
  },
  unaudited: ['account_links', 'setup_tokens', 'sign_in_throttle', 'used_passkey_challenges', 'user_photos'],
  reference: [
    ...['users', 'sessions', 'two_factors', 'oidc_accounts', 'passkeys', 'used_passkey_challenges', 'account_links'],
    ...['user_photos', 'setup_tokens', 'sign_in_throttle'],
  ],
};
