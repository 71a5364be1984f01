import { expect, test, within } from '../support/base-test';
import { freePort, type Installation, startInstallation } from '../support/installation';
import { type Outcome, startKeepAliveLoad } from '../support/keep-alive-load';
import { createDesk } from '../support/own-installation';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres';
import { createServerLogin, pgBouncer, startPgBouncer, type TestPgBouncer } from '../support/pgbouncer';
import { programs, type ReverseProxy, startHaproxy } from '../support/reverse-proxy';

/**
 * Three servers on one database, behind a load balancer that asks `/readyz`, and before PgBouncer in transaction mode: docs/operations.md
 * says how to set that up, and how to restart them.
 */

let postgres: OwnPostgres;
let bouncer: TestPgBouncer | undefined;
let balancer: ReverseProxy | undefined;
const servers: (Installation | undefined)[] = [];

test.afterEach(async () => {
  await balancer?.stop();
  for (const server of servers) await server?.stop();
  await bouncer?.stop();
  await postgres?.remove();
});

test('servers that are restarted one after the other fail no request, and count each one', async ({ request }) => {
  test.setTimeout(within(50));
  // biome-ignore lint/suspicious/noSkippedTests: what can't be had here can't be tested here
  test.skip(!programs.haproxy || !pgBouncer, 'HAProxy or PgBouncer is not installed.');
  postgres = await startOwnPostgres();
  bouncer = await startPgBouncer(await createServerLogin(postgres.url), 12);
  const ports = [await freePort(), await freePort(), await freePort()];
  const settings = {
    DATABASE_URL: bouncer.url,
    DATABASE_DIRECT_URL: postgres.url,
    AUTH_SECRET: 'the same on all servers, and long enough',
    SHUTDOWN_DRAIN_SECONDS: '5',
  };
  const outputs: (() => string)[] = [];
  const start = async (index: number) => {
    servers[index] = await startInstallation({ port: ports[index], settings });
    outputs.push(servers[index].output);
  };
  for (const index of ports.keys()) await start(index);
  const installation = { dataDir: servers[0]?.dataDir ?? '', databaseUrl: postgres.url };
  const desk = await createDesk(installation);
  const limited = await createDesk(installation, 'free');
  balancer = await startHaproxy(ports);
  const { url } = balancer;
  const isServed = async () => (await request.get(`${url}/readyz`).catch(() => null))?.status();
  await expect.poll(isServed).toBe(200);

  const load = (path: string, clients: number, { key }: { key: string }) =>
    startKeepAliveLoad(`${url}${path}`, clients, { headers: { Authorization: `Bearer ${key}` } });
  const api = load('/api/v1/identity/customers?limit=20', 8, desk);
  const counted = load('/api/v1/identity', 2, limited);
  const pages = startKeepAliveLoad(`${url}/sign-in`, 4);
  const answered = () => Math.min(api.outcomes.length, pages.outcomes.length);
  await expect.poll(answered).toBeGreaterThan(20);
  for (const index of ports.keys()) {
    await servers[index]?.stop();
    servers[index] = undefined;
    await start(index);
    // The load balancer has noticed that it is back.
    await expect.poll(() => servers[index]?.output()).toContain('"path":"/api/v1/identity/customers"');
  }
  await Promise.all([api.stop(), pages.stop(), counted.stop()]);
  const outcomes = [...api.outcomes, ...pages.outcomes];
  expect(outcomes.length).toBeGreaterThan(200);
  const failed = outcomes.filter(({ status }) => status !== 200);
  const log = outputs.flatMap((output) => output().split('\n'));
  const saidOf = ({ error }: Outcome) =>
    log.filter((line) => line.includes(/"requestId":"([^"]+)/.exec(error)?.[1] ?? '"level":50'));
  expect(failed.map((outcome) => ({ ...outcome, log: saidOf(outcome) }))).toEqual([]);
  expect(counted.outcomes.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(counted.outcomes.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  for (const server of servers) expect(server?.output()).not.toContain('"level":50');
});
