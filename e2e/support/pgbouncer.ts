import { queryDatabase } from './own-installation';

export { pgBouncer, startPgBouncer, type TestPgBouncer } from '@/server/testing/pgbouncer';

/** A user with the rights of the server, beside the owner of the database. */
export async function createServerLogin(url: string): Promise<string> {
  for (const text of [
    'CREATE ROLE frontdesk_server',
    'CREATE ROLE frontdesk_tenant',
    'GRANT frontdesk_tenant TO frontdesk_server',
    `CREATE ROLE desk LOGIN PASSWORD 'secret' IN ROLE frontdesk_server`,
  ]) {
    await queryDatabase(url, text);
  }
  return Object.assign(new URL(url), { username: 'desk', password: 'secret' }).href;
}
