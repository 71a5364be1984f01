import { beforeAll, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { addTestMember, memberCookie } from '@/server/testing/team';
import { operations } from '../../registry';
import { type TeamRole, teamRoles } from '../auth/team-roles.schema';
import type { Operation } from '../operations/operation';

/** What each role may do, by every procedure. Generated from the registry, and documented in docs/roles.md. */

withFreshDatabase({ PUBLIC_URL: 'http://desk.example.com' });
const call = withHttpServer();

const browser = { host: 'desk.example.com', origin: 'http://desk.example.com', 'sec-fetch-site': 'same-origin' };

const procedures = [...operations].filter(([, { access }]) => ['identity', 'dashboard'].includes(access));

let identity: TestIdentity;
const cookies = new Map<TeamRole, string>();
/** For each procedure, the roles that it let through. */
const enforced = new Map<string, TeamRole[]>();

beforeAll(async () => {
  identity = await createTestIdentity();
  for (const role of teamRoles) cookies.set(role, await memberCookie(await addTestMember(identity, role)));
});

/** Calls a procedure with an input that none takes: who may call it is told so, and nothing happens. */
async function codeFor(name: string, { type, meta }: Operation, role: TeamRole): Promise<string | undefined> {
  const headers = { ...browser, cookie: cookies.get(role) ?? '' };
  const path = `/api/trpc/${name}`;
  const sent = 'no procedure takes a text';
  const answer =
    type === 'query'
      ? await call('GET', `${path}?input=${encodeURIComponent(JSON.stringify(sent))}`, { headers })
      : await call('POST', path, { headers, ...(meta.rest?.upload ? { body: '' } : { json: sent }) });
  return (answer.body as { error?: { data: { code: string } } }).error?.data.code;
}

async function countChanges(): Promise<number> {
  const { rows } = await pool().query('SELECT count(*)::int AS count FROM audit_entries WHERE identity_id = $1', [
    identity.identityId,
  ]);
  return rows[0].count;
}

test('there is something to check', () => expect(procedures.length).toBeGreaterThan(90));

describe.each(procedures)('%s', (name, procedure) => {
  const { type, meta } = procedure;

  test('is refused to some roles before the input is read, and open to the others', async () => {
    const before = await countChanges();
    const allowed: TeamRole[] = [];
    for (const role of teamRoles) {
      const code = await codeFor(name, procedure, role);
      // Confirmed sign-ins are asked for after roles.
      expect(['insufficient_role', 'invalid_request', 'fresh_sign_in_required']).toContain(code);
      if (code !== 'insufficient_role') allowed.push(role);
    }
    enforced.set(name, allowed);
    // Each role may do what the next one may.
    expect(allowed).toEqual(teamRoles.slice(0, allowed.length));
    expect(allowed[0]).toBe('owner');
    if (type === 'mutation')
      expect(allowed).not.toContain(name === 'members.leave' || meta.scope?.endsWith(':read') ? '' : 'viewer');
    expect(await countChanges()).toBe(before);
  });
});

test('docs/roles.md says what is enforced', async () => {
  const rows = [...enforced].map(
    ([name, allowed]) => `| \`${name}\` | ${teamRoles.map((role) => (allowed.includes(role) ? '✓' : ' ')).join(' | ')} |`,
  );
  const document = `# What each role may do

Every procedure of the dashboard and the API, and the roles that may call it. A test calls each one with each role and compares; run
\`npx vitest run server/platform/http/roles.test.ts -u\` after a change, and review the difference.

Members change their own drafts of blog posts only, admins manage everybody but owners, and nobody but an owner deletes the business.
[Security](security.md) explains the roles.

| Procedure | Owner | Admin | Member | Viewer |
|---|---|---|---|---|
${rows.join('\n')}
`;
  await expect(document).toMatchFileSnapshot('../../../docs/roles.md');
});
