import { pool } from '@/server/platform/db/pool';
import { callerAs } from './caller';
import { type Business, complete, examplesOf, type Known } from './examples';
import { createTestIdentity, type TestIdentity } from './identity';

/**
 * Creates a business with every kind of data, whose texts contain a marker. Needs the setting PUBLIC_URL.
 *
 * @param marker in lower case, so that it can be part of handles and addresses
 * @returns the business, and one id of each kind by the name of its parameter, with what else inputs may name
 */
export async function createFullBusiness(marker: string): Promise<TestIdentity & { known: Known }> {
  const domain = `${marker}.example`;
  const [handle, address, email] = [`${marker}-shop`, `desk@${domain}`, `owner@${domain}`];
  // The text beside the marker can be searched for without sending it.
  const words = `secret ${marker}`;
  const whitelist = [{ handle: 'sales', address: `sales@${domain}`, description: words }];
  const identity = await createTestIdentity({ handle, ownerEmail: email, address, whitelist });
  const { identityId } = identity;
  let known: Known = { identityId, handle, email, address, domain, marker };
  const business: Omit<Business, 'known'> = { ...identity, as: callerAs(identity.actor), words };
  // Records of a feature may refer to those of features that the registry lists before it.
  for (const { fill } of examplesOf.values()) known = { ...known, ...(await fill?.({ ...business, known: complete(known) })) };
  for (const { rows = [] } of examplesOf.values()) for (const text of rows) await pool().query(text, [identityId]);
  return { ...identity, known };
}
