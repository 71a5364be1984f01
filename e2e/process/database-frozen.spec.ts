import type { APIRequestContext } from '@playwright/test';
import { endBy, startBareServer } from '../support/bare-server';
import { expect, test, within } from '../support/base-test';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy';
import { freePort, type Installation, makeDataDir, startInstallation } from '../support/installation';
import { createDesk, type Desk } from '../support/own-installation';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres';

/** The way to the database dies without a word: connections stay open, and nothing comes over them any more. */

let postgres: OwnPostgres;
let proxy: DatabaseProxy;

test.beforeEach(async () => {
  postgres = await startOwnPostgres();
  proxy = await startDatabaseProxy(postgres.url);
});

test.afterEach(async () => {
  await proxy?.close();
  await postgres?.remove();
});

interface Answer {
  status: number;
  retryAfter: string | undefined;
  code: string;
  ms: number;
}

async function ask(request: APIRequestContext, { baseUrl }: Installation, desk: Desk): Promise<Answer> {
  const startedAt = performance.now();
  const headers = { Authorization: `Bearer ${desk.key}` };
  const response = await request.get(`${baseUrl}/api/v1/identity/customers?query=${Math.random()}`, {
    headers,
    timeout: within(8),
  });
  const { code = '' } = (await response.json()) as { code?: string };
  return { status: response.status(), retryAfter: response.headers()['retry-after'], code, ms: performance.now() - startedAt };
}

interface Line {
  level: number;
  msg: string;
}

const logOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

test('requests are told to come again within seconds, the log says it once, and it recovers by itself', async ({ request }) => {
  const installation = await startInstallation({ settings: { DATABASE_URL: proxy.url } });
  try {
    const desk = await createDesk({ dataDir: installation.dataDir, databaseUrl: postgres.url });
    expect(await ask(request, installation, desk)).toMatchObject({ status: 200 });

    proxy.freeze({ alsoNew: true });
    const answers: Answer[] = [];
    for (let round = 0; round < 3; round++) {
      answers.push(...(await Promise.all(Array.from({ length: 20 }, () => ask(request, installation, desk)))));
    }
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, code: 'unavailable', retryAfter: expect.stringMatching(/^\d+$/) });
      expect(answer.ms).toBeLessThan(20_000);
    }
    expect((await request.get(`${installation.baseUrl}/healthz`)).status()).toBe(200);
    expect((await request.get(`${installation.baseUrl}/readyz`)).status()).toBe(503);

    proxy.thaw();
    const status = async () => (await ask(request, installation, desk)).status;
    await expect.poll(status).toBe(200);
    await expect.poll(async () => (await request.get(`${installation.baseUrl}/readyz`)).status()).toBe(200);
    const problems = logOf(installation.output()).filter(({ level }) => level >= 40);
    expect(problems.filter(({ level }) => level >= 50)).toEqual([]);
    expect(problems.length, JSON.stringify(problems.map(({ msg }) => msg))).toBeLessThanOrEqual(5);
    expect(problems.length).toBeGreaterThan(0);
    expect(installation.output()).not.toMatch(/unhandled rejection|^ {4}at /m);
  } finally {
    await installation.stop();
  }
});

test('a server that is told to stop ends within its limit, and at once when it is told again', async ({ request }) => {
  const settings = { DATABASE_URL: proxy.url };
  const [patient, impatient] = [await startInstallation({ settings }), await startInstallation({ settings })];
  try {
    const desk = await createDesk({ dataDir: patient.dataDir, databaseUrl: postgres.url });
    proxy.freeze({ alsoNew: true });
    const asked = [patient, impatient].flatMap((server) => [1, 2, 3].map(() => ask(request, server, desk).catch(() => null)));
    const ending = endBy('SIGTERM', patient.process);
    impatient.process.kill('SIGTERM');
    await expect.poll(() => impatient.output()).toContain('Stopping …');
    const again = await endBy('SIGINT', impatient.process);
    expect(again.code).toBe(1);
    // The other one was asked once, at the same time, and still waits for the database.
    expect(patient.process.exitCode).toBeNull();
    const { code, ms } = await ending;
    expect(code).toBe(0);
    // Its own limit is 50 s; with a database that is silent it needs no more than this.
    expect(ms).toBeLessThan(40_000);
    expect(patient.output()).not.toMatch(/"level":[56]0|unhandled rejection/);
    await Promise.all(asked);
  } finally {
    for (const { process: child } of [patient, impatient]) child.kill('SIGKILL');
  }
});

test('a start is given up in one line', async () => {
  proxy.freeze({ alsoNew: true });
  const settings = { PORT: String(await freePort()), DATA_DIR: await makeDataDir(), DATABASE_URL: proxy.url };
  const startedAt = performance.now();
  const { ended, stderr } = startBareServer(settings);
  expect(await ended).toBe(1);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(stderr().trim()).toMatch(/^DATABASE_URL: can't use 127\.0\.0\.1:\d+\/postgres: .+$/);
});
