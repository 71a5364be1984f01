import { compare, comparisonHead, type Operation } from '../compare';
import { startDatabase } from '../database';
import { type Table, whole } from '../table';
import { customersEach, fillTenants, type Tenant, tenantCount } from '../tenants';
import { create, getById, listOf50, search } from '../workload';

function operationsOf(tenants: Tenant[]): Operation[] {
  return [
    { name: 'one customer by id', status: 200, load: () => getById(tenants) },
    { name: 'list of 50', status: 200, load: () => listOf50(tenants) },
    { name: 'list of 50 with search', status: 200, load: () => search(tenants) },
    { name: 'create', status: 201, load: (run) => create(tenants, run) },
  ];
}

export async function throughput({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    return {
      title: 'Throughput',
      note:
        `Frontdesk / hand-written server, on ${whole(tenantCount * customersEach)} customers over ${tenantCount} identities. Both write into tables whose triggers keep the audit log. ` +
        'Target: a ratio of at least 0.50. CPU is per request.',
      head: comparisonHead,
      rows: await compare(database, operationsOf(await fillTenants(database)), quick),
    };
  } finally {
    await database.remove();
  }
}
