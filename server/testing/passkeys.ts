import { randomBytes } from 'node:crypto';
import { signIn } from '@/server/features/accounts/account.service';
import type { PasskeyRecord } from '@/server/features/accounts/passkey.schema';
import { addPasskey, beginPasskey, listPasskeys } from '@/server/features/accounts/passkey.service';
import { beginPasskeySignIn, signInWithPasskey } from '@/server/features/accounts/passkey-sign-in.service';
import type { SessionActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { publicUrl } from '@/server/platform/env';
import { SoftwareAuthenticator } from './authenticator';
import { createTestIdentity } from './identity';

/** An address in a unique network. */
export function freshAddress(): string {
  return `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
}

/** Adds a passkey of this authenticator, as the settings page does. */
export async function addTo(actor: SessionActor, authenticator: SoftwareAuthenticator): ReturnType<typeof addPasskey> {
  return addPasskey(actor, authenticator.create(await beginPasskey(actor)));
}

/** An owner with one passkey, and the two ways to sign in: with it, and with the password. */
export async function withPasskey(kind?: ConstructorParameters<typeof SoftwareAuthenticator>[1]) {
  const identity = await createTestIdentity();
  const { actor, owner } = identity;
  await pool().query('INSERT INTO sessions (id, user_id) VALUES ($1, $2)', [actor.sessionId, owner.userId]);
  const device = new SoftwareAuthenticator(publicUrl(), kind);
  const { added } = await addTo(actor, device);
  const enter = async (lies: Parameters<typeof device.answer>[1] = {}, address = freshAddress()) =>
    signInWithPasskey(device.answer(await beginPasskeySignIn(), lies), address);
  const enterPassword = (code?: string, address = freshAddress()) => signIn(owner.email, owner.password, address, code);
  const [passkey] = (await listPasskeys(actor)).passkeys as [PasskeyRecord];
  return { ...identity, device, recoveryCodes: added.recoveryCodes ?? [], passkey, enter, enterPassword };
}
