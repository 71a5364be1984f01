import type { BenchDatabase } from './database';
import { addCustomers, type BenchIdentity, createIdentity, settle } from './fill';

export const tenantCount = 20;
export const customersEach = 1_000;

export interface Tenant extends BenchIdentity {
  /** Ids of its customers, in no particular order. */
  customerIds: string[];
}

/** 20,000 customers over 20 identities on a plan without a daily limit. */
export async function fillTenants({ sql }: BenchDatabase): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let i = 0; i < tenantCount; i++) {
    const identity = await createIdentity(sql, 'enterprise');
    await addCustomers(sql, identity, 1, customersEach);
    const { rows } = await sql.query<{ id: string }>('SELECT id FROM customers WHERE identity_id = $1', [identity.id]);
    tenants.push({ ...identity, customerIds: rows.map((row) => row.id) });
  }
  await settle(sql);
  return tenants;
}
