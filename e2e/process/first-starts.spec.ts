import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { type BareServer, endBy, startBareServer } from '../support/bare-server';
import { expect, test, within } from '../support/base-test';
import { freePort, makeDataDir } from '../support/installation';
import { databaseOf, queryDatabase } from '../support/own-installation';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres';

/** First starts that go wrong, or happen twice at once. */

let dataDir = '';
let servers: BareServer[] = [];

test.beforeEach(async () => {
  dataDir = await makeDataDir();
});

test.afterEach(async () => {
  for (const { process: child, ended } of servers) {
    child.kill('SIGTERM');
    await ended;
  }
  servers = [];
  await rm(dataDir, { recursive: true, force: true });
});

async function startServer(settings: Record<string, string> = {}): Promise<BareServer & { baseUrl: string }> {
  const port = await freePort();
  const server = startBareServer({ DATA_DIR: dataDir, PORT: String(port), ...settings });
  servers.push(server);
  return { ...server, baseUrl: `http://127.0.0.1:${port}` };
}

const setupToken = ({ stdout }: BareServer) => /\/setup\?token=(\S+)/.exec(stdout())?.[1];

/** Says what came of making an owner at each of these servers, all at once. */
async function setUpAll(request: APIRequestContext, links: { baseUrl: string; token: string }[]): Promise<number[]> {
  return Promise.all(
    links.map(async ({ baseUrl, token }, index) => {
      const answer = await request.post(`${baseUrl}/api/trpc/setup.complete`, {
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        data: {
          token,
          email: `owner${index}@quark.example`,
          password: 'correct horse battery',
          displayName: 'Quark Labs',
          handle: `quark-${index}`,
        },
      });
      return answer.status();
    }),
  );
}

/** Everything of a data directory but what the database writes. */
async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== 'files').sort();
}

test('of two on one data directory, one serves and the other says why it does not', async ({ request }) => {
  const both = await Promise.all([startServer(), startServer()]);
  const loser = await Promise.race(both.map((server) => server.ended.then(() => server)));
  expect(await loser.ended).toBe(1);
  expect(loser.stderr().trim()).toBe(
    `Another Frontdesk server is using the data directory ${dataDir}. Stop it, or set another DATA_DIR.`,
  );
  const [winner] = both.filter((server) => server !== loser);
  if (!winner) throw new Error('Both have ended.');
  await expect.poll(() => setupToken(winner), { timeout: within(8) }).toBeTruthy();
  expect((await request.get(`${winner.baseUrl}/readyz`)).status()).toBe(200);
  expect(await filesOf(dataDir)).toEqual(['auth-secret', 'postgres', 'postgres.log']);
  expect((await readFile(path.join(dataDir, 'auth-secret'), 'utf8')).trim().length).toBeGreaterThanOrEqual(32);
  const token = setupToken(winner) ?? '';
  const statuses = await setUpAll(
    request,
    Array.from({ length: 4 }, () => ({ baseUrl: winner.baseUrl, token })),
  );
  expect(statuses.sort()).toEqual([200, 404, 404, 404]);
  expect(await queryDatabase(await databaseOf({ dataDir }), 'SELECT count(*)::int AS owners FROM users')).toEqual([
    { owners: 1 },
  ]);
  expect(winner.stderr()).not.toMatch(/"level":[456]0|unhandled/);
});

test.describe('on one database of their own', () => {
  let postgres: OwnPostgres;

  test.beforeEach(async () => {
    postgres = await startOwnPostgres();
  });
  test.afterEach(() => postgres.remove());

  test('two servers both serve, with one secret and one owner', async ({ request }) => {
    const settings = { DATABASE_URL: postgres.url };
    const both = await Promise.all([startServer(settings), startServer(settings)]);
    try {
      for (const server of both) await expect.poll(() => setupToken(server), { timeout: within(8) }).toBeTruthy();
      expect(await filesOf(dataDir)).toEqual(['auth-secret']);
      const links = both.map((server) => ({ baseUrl: server.baseUrl, token: setupToken(server) ?? '' }));
      expect((await setUpAll(request, links)).sort()).toEqual([200, 404]);
      expect(await queryDatabase(postgres.url, 'SELECT count(*)::int AS owners FROM users')).toEqual([{ owners: 1 }]);
      // Signed by one, known to the other.
      const csrf = await (await request.get(`${both[0]?.baseUrl}/api/auth/csrf`)).json();
      expect(csrf.csrfToken).toBeTruthy();
      const email = (await queryDatabase<{ email: string }>(postgres.url, 'SELECT email FROM users'))[0]?.email ?? '';
      const form = { email, password: 'correct horse battery', csrfToken: csrf.csrfToken, json: 'true' };
      await request.post(`${both[0]?.baseUrl}/api/auth/callback/credentials`, { form });
      for (const { baseUrl } of both) {
        const headers = { 'Sec-Fetch-Site': 'same-origin' };
        expect((await request.get(`${baseUrl}/api/trpc/identity.get?input=%7B%7D`, { headers })).status()).toBe(200);
      }
      for (const { stderr } of both) expect(stderr()).not.toMatch(/"level":[456]0|unhandled/);
    } finally {
      for (const { process: child } of both) expect((await endBy('SIGTERM', child)).code).toBe(0);
    }
  });
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} while the database is being made ends it in seconds, and the next start makes it`, async () => {
    const first = await startServer();
    await expect.poll(first.stdout, { intervals: [20] }).toContain('Setting up the database');
    const { code, ms } = await endBy(signal, first.process);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres'))).toEqual([]);
    const second = await startServer();
    await expect.poll(() => setupToken(second), { timeout: within(8) }).toBeTruthy();
  });
}
