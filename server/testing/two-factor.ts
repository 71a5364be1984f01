import { Secret, TOTP } from 'otpauth';
import { beginTwoFactor, enableTwoFactor } from '@/server/features/accounts/two-factor.service';
import type { SessionActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';

/** The code of an authenticator app with this secret; `steps` half minutes from now. */
export function appCode(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Allows the current codes to be used again, as if time had passed. */
export async function forgetUsedCodes(userId: string): Promise<void> {
  await pool().query('UPDATE two_factors SET last_step = NULL WHERE user_id = $1', [userId]);
}

/** Turns two-factor sign-in on with an app's code, which can be used again immediately. */
export async function turnOnTwoFactor(actor: SessionActor): Promise<{ secret: string; recoveryCodes: string[]; cookie: string }> {
  const { secret } = await beginTwoFactor(actor);
  const enabled = await enableTwoFactor(actor, { code: appCode(secret) });
  await forgetUsedCodes(actor.userId);
  return { secret, ...enabled };
}
