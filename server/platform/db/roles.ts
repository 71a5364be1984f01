import { createHmac } from 'node:crypto';
import pg from 'pg';
import { log } from '../log';
import { closeConnection } from './connection';
import { lockMigrations } from './migrate';
import { openConnection } from './own-connection';
import { serverRole, tenantRole } from './tenant';
import { limitStatements, patience } from './time-limits';
import { withRetry } from './transaction';

/**
 * Roles and row-level security, a second wall behind the conditions of statements (docs/adr/0022). The owner of the database migrates
 * it and makes backups. The server works with `serverRole`, which can read and change rows, but no table, and only add to the
 * audit log. Where it works for one identity it takes `tenantRole`, whose policies hide all rows of others.
 */

/**
 * Tables with an `identity_id` that are also read without one, or for another one: found by a key, a link or an address, or entries
 * about accounts.
 */
const openTables = ['api_keys', 'address_claims', 'calendar_feeds', 'security_events', 'memberships'];

/** What even the server may only read. */
const readOnlyTables = ['audit_entries', 'account_audit_entries', '_prisma_migrations'];

/** Functions that work with the rights of the owner. What they do is no business of one identity. */
const serverFunctions = [
  'add_partitions(regclass, text, integer)',
  'drop_partitions(regclass, integer)',
  'remove_old_audit_entries(regclass, integer, integer)',
  'erase_audit_entries(uuid, integer)',
];

/** Functions that work with the rights of the owner for one identity. */
const tenantFunctions = [
  'emit_events(uuid, json, text, text, text, text, boolean, text, text[])',
  // Of the version before.
  'emit_events(uuid, json, text, text, text, text, boolean, text, text, text)',
];

const list = (values: readonly string[]) => values.map((value) => pg.escapeLiteral(value)).join(', ');

/** Tables and views that lack rights or policies because they are new. */
const unpreparedTables = `SELECT format('%I.%I', n.nspname, c.relname) AS name,
    c.relname = ANY (ARRAY[${list(readOnlyTables)}]) AS "isReadOnly",
    c.relkind <> 'v' AND c.relname <> ALL (ARRAY[${list(openTables)}])
      AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'identity_id' AND NOT a.attisdropped) AS "isOfIdentity",
    c.relrowsecurity AS "isSecured"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v') AND NOT (
    has_table_privilege('${serverRole}', c.oid, 'SELECT') AND has_table_privilege('${tenantRole}', c.oid, 'SELECT')
    AND (NOT c.relrowsecurity OR (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname IN ('server', 'tenant')) = 2)
  ) ORDER BY 1`;

interface UnpreparedTable {
  name: string;
  isReadOnly: boolean;
  isOfIdentity: boolean;
  isSecured: boolean;
}

/** Gives both roles their rights to one table. Mail to accounts has no identity: it can be added, and is hidden from every identity. */
function rightsTo({ name, isReadOnly, isOfIdentity, isSecured }: UnpreparedTable): string {
  const roles = `${serverRole}, ${tenantRole}`;
  const rights = isReadOnly ? 'SELECT' : 'SELECT, INSERT, UPDATE, DELETE';
  const statements = [`REVOKE ALL ON ${name} FROM ${roles}`, `GRANT ${rights} ON ${name} TO ${roles}`];
  if (isOfIdentity || isSecured) {
    const own = isOfIdentity ? 'identity_id = current_identity()' : 'true';
    const added = isOfIdentity ? `${own} OR identity_id IS NULL` : 'true';
    statements.push(
      `DROP POLICY IF EXISTS server ON ${name}`,
      `DROP POLICY IF EXISTS tenant ON ${name}`,
      `CREATE POLICY server ON ${name} TO ${serverRole} USING (true)`,
      `CREATE POLICY tenant ON ${name} TO ${tenantRole} USING (${own}) WITH CHECK (${added})`,
      `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`,
    );
  }
  return statements.join('; ');
}

/** Creates a role unless it exists. Roles belong to the whole server, so another database may be creating it, too. */
const createRole = (name: string) => `DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${name}') THEN CREATE ROLE ${name}; END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`;

/**
 * Makes one role a member of another, which may then be taken. Since PostgreSQL 16 that can exclude its rights, and who creates a role
 * is a member that may not take it; older ones must not read those words.
 * @param member an SQL expression for its name
 */
const grantRole = (role: string, member: string) => `DO $$ BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM pg_auth_members m WHERE roleid = '${role}'::regrole AND member = (SELECT oid FROM pg_roles WHERE rolname = ${member})
      AND coalesce((to_jsonb(m) ->> 'set_option')::boolean, true)
  ) THEN
    EXECUTE format('GRANT ${role} TO %I', ${member})
      || CASE WHEN current_setting('server_version_num')::int >= 160000 THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END;
  END IF;
END $$`;

const prepareBoth = [
  createRole(serverRole),
  createRole(tenantRole),
  grantRole(tenantRole, `'${serverRole}'`),
  grantRole(serverRole, 'current_user'),
].join('; ');

const rightsToSchemas = `GRANT USAGE ON SCHEMA public TO ${serverRole}, ${tenantRole};
  GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${serverRole}, ${tenantRole};
  REVOKE EXECUTE ON FUNCTION ${[...serverFunctions, ...tenantFunctions].join(', ')} FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${[...serverFunctions, ...tenantFunctions].join(', ')} TO ${serverRole};
  GRANT EXECUTE ON FUNCTION ${tenantFunctions.join(', ')} TO ${tenantRole}`;

const insufficientPrivilege = '42501';

async function inTransaction(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(`BEGIN; ${limitStatements('migration', 'LOCAL')}; ${statement}; COMMIT`);
  } catch (error) {
    // Else the next try would be refused because of this one.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * Creates the roles, and gives them their rights to tables that are new. Run it as the owner, after all migrations.
 * @returns false if the owner may not create roles and was not granted existing ones: the server then works as the owner
 */
export async function prepareRoles(url: string, signal?: AbortSignal): Promise<boolean> {
  const client = await openConnection({ url, applicationName: 'frontdesk-migrate', signal });
  try {
    await lockMigrations(client);
    await client.query(prepareBoth);
    const { rows } = await client.query<UnpreparedTable>(unpreparedTables);
    // Repeated at every start: a migration may have added no table, but a function or a sequence.
    for (const statement of [...rows.map(rightsTo), rightsToSchemas]) {
      // Tables of a server that is running may be locked.
      await withRetry(() => inTransaction(client, statement), patience.migration);
    }
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    log().warn('the owner of the database may not create roles: the server works with its rights, without row-level security');
    return false;
  } finally {
    await closeConnection(client);
  }
}

/**
 * The URL with which the server signs in to an embedded database, whose owner is its superuser. The password follows from the owner's, so
 * that commands beside a running server arrive at the same one.
 */
export function serverUrl(url: string): string {
  const address = new URL(url);
  const password = createHmac('sha256', address.password).update(serverRole).digest('hex');
  return Object.assign(address, { username: serverRole, password }).href;
}

/** Lets the server's role sign in to an embedded database. @returns its `serverUrl` */
export async function letServerSignIn(url: string): Promise<string> {
  const signedIn = serverUrl(url);
  const client = await openConnection({ url, applicationName: 'frontdesk-migrate' });
  try {
    // PostgreSQL refuses to change a role twice at the same time, as commands beside each other would.
    await lockMigrations(client);
    await client.query(`ALTER ROLE ${serverRole} LOGIN PASSWORD ${pg.escapeLiteral(new URL(signedIn).password)}`);
  } finally {
    await closeConnection(client);
  }
  return signedIn;
}
