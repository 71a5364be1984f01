import { pool } from '@/server/platform/db/pool';
import { appCode, forgetUsedCodes } from '@/server/testing/two-factor';
import type { Tenant } from './test';

/** What an owner's authenticator app shows now. A code works once; here time has always passed since the last one. */
export async function nextAppCode({ owner }: Tenant, secret: string): Promise<string> {
  await forgetUsedCodes(owner.userId);
  return appCode(secret);
}

/** Makes every sign-in of this owner one of eleven minutes ago. */
export async function waitElevenMinutes({ owner }: Tenant): Promise<void> {
  await pool().query(`UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = $1`, [owner.userId]);
}
