import { pool } from '@/server/platform/db/pool';
import { appCode, forgetUsedCodes } from '@/server/testing/two-factor';
import type { Tenant } from './test';

/** The current code of an owner's authenticator app. A code works once, so here time has always passed since the last one. */
export async function nextAppCode({ owner }: Tenant, secret: string): Promise<string> {
  await forgetUsedCodes(owner.userId);
  return appCode(secret);
}

/** Backdates every sign-in of this owner by eleven minutes. */
export async function waitElevenMinutes({ owner }: Tenant): Promise<void> {
  await pool().query(`UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = $1`, [owner.userId]);
}
