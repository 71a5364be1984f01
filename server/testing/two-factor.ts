import { Secret, TOTP } from 'otpauth';
import { beginTwoFactor, enableTwoFactor } from '@/server/features/accounts/two-factor.service';
import type { SessionActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';

/** The codes that an authenticator app with this secret shows; `steps` half minutes from now. */
export function appCode(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Lets the codes of now be used again, as if time had passed. */
export async function forgetUsedCodes(userId: string): Promise<void> {
  await pool().query('UPDATE two_factors SET last_step = NULL WHERE user_id = $1', [userId]);
}

/** Turns two-factor sign-in on, as someone with an app does, with a code that can be used again at once. */
export async function turnOnTwoFactor(actor: SessionActor): Promise<{ secret: string; recoveryCodes: string[]; cookie: string }> {
  const { secret } = await beginTwoFactor(actor);
  const enabled = await enableTwoFactor(actor, { code: appCode(secret) });
  await forgetUsedCodes(actor.userId);
  return { secret, ...enabled };
}
