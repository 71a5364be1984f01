import { expect, test } from '@playwright/test';
import { freePort, type Installation, startInstallation } from '../support/installation';
import { startKeepAliveLoad } from '../support/keep-alive-load';
import { createDesk } from '../support/own-installation';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres';
import { programs, type ReverseProxy, startHaproxy } from '../support/reverse-proxy';

/** Two servers on one database, behind a load balancer that asks `/readyz`: docs/operations.md says how to restart them. */

let postgres: OwnPostgres;
let balancer: ReverseProxy | undefined;
const servers: (Installation | undefined)[] = [];

test.afterEach(async () => {
  await balancer?.stop();
  for (const server of servers) await server?.stop();
  await postgres?.remove();
});

test('servers that are restarted one after the other fail no request', async ({ request }) => {
  test.setTimeout(300_000);
  // biome-ignore lint/suspicious/noSkippedTests: what can't be had here can't be tested here
  test.skip(!programs.haproxy, 'HAProxy is not installed.');
  postgres = await startOwnPostgres();
  const ports = [await freePort(), await freePort()];
  const settings = {
    DATABASE_URL: postgres.url,
    AUTH_SECRET: 'the same on all servers, and long enough',
    SHUTDOWN_DRAIN_SECONDS: '5',
  };
  const start = async (index: number) => {
    servers[index] = await startInstallation({ port: ports[index], settings });
  };
  await start(0);
  await start(1);
  const desk = await createDesk({ dataDir: servers[0]?.dataDir ?? '', databaseUrl: postgres.url });
  balancer = await startHaproxy(ports);
  const { url } = balancer;
  const isServed = async () => (await request.get(`${url}/readyz`).catch(() => null))?.status();
  await expect.poll(isServed).toBe(200);

  const headers = { Authorization: `Bearer ${desk.key}` };
  const api = startKeepAliveLoad(`${url}/api/v1/identity/customers?limit=20`, 8, { headers });
  const pages = startKeepAliveLoad(`${url}/sign-in`, 4);
  const answered = () => Math.min(api.outcomes.length, pages.outcomes.length);
  await expect.poll(answered).toBeGreaterThan(20);
  for (const index of [0, 1]) {
    await servers[index]?.stop();
    servers[index] = undefined;
    await start(index);
    // The load balancer has noticed that it is back.
    await expect.poll(() => servers[index]?.output(), { timeout: 30_000 }).toContain('"path":"/api/v1/identity/customers"');
  }
  await Promise.all([api.stop(), pages.stop()]);
  const outcomes = [...api.outcomes, ...pages.outcomes];
  expect(outcomes.length).toBeGreaterThan(200);
  const failed = outcomes.filter(({ status }) => status !== 200);
  expect([failed.length, failed[0]]).toEqual([0, undefined]);
});
