import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startBareServer } from '../support/bare-server';
import { kill } from '../support/demo';
import { freePort, makeDataDir, startInstallation } from '../support/installation';
import { expect, test } from '../support/test';

test.describe.configure({ mode: 'serial' });

async function expectOneLine(settings: Record<string, string>, line: RegExp): Promise<void> {
  const { ended, stderr } = startBareServer(settings);
  expect(await ended).toBe(1);
  expect(stderr().trim().split('\n')).toHaveLength(1);
  expect(stderr().trim()).toMatch(line);
}

test('what can’t be used is said in one line, and nothing is damaged', async ({ request }) => {
  const installation = await startInstallation();
  try {
    const { port } = new URL(installation.baseUrl);
    const free = String(await freePort());
    await expectOneLine({ PORT: port, DATA_DIR: await makeDataDir() }, /something else is listening/);
    await expectOneLine({ PORT: free, DATA_DIR: installation.dataDir }, /Another Frontdesk server is using the data directory/);
    await expectOneLine(
      { PORT: free, DATABASE_URL: 'postgres://a:hush@127.0.0.1:1/none' },
      /^DATABASE_URL: can't use 127\.0\.0\.1:1/,
    );
    await expectOneLine({ PORT: 'many', LOG_LEVEL: 'loud' }, /PORT must be .*LOG_LEVEL must be/);
    const file = path.join(await makeDataDir(), 'file');
    await writeFile(file, '');
    await expectOneLine({ PORT: free, DATA_DIR: file }, /^DATA_DIR /);
    await expectOneLine({ PORT: free, DATA_DIR: '/proc/frontdesk/data' }, /^DATA_DIR .* can't be made \(E[A-Z]+\)\.$/);
    const tls = { INBOUND_TLS_CERT: path.resolve('package.json'), INBOUND_TLS_KEY: path.resolve('package.json') };
    await expectOneLine(
      { PORT: free, DATA_DIR: await makeDataDir(), ...tls },
      /^INBOUND_TLS_CERT: .*package\.json does not hold a certificate/,
    );
    expect((await request.get(`${installation.baseUrl}/readyz`)).status()).toBe(200);
  } finally {
    await installation.stop();
  }
});

test('the demo prints a curl line that works, and running it again after kill -9 keeps the data', async ({ request }) => {
  const first = await startInstallation({ program: 'demo' });
  await expect.poll(() => first.output()).toMatch(/curl -s '\S+' -H 'Authorization: Bearer \w+'/);
  const [, url = '', key = ''] = /curl -s '(\S+)' -H 'Authorization: Bearer (\w+)'/.exec(first.output()) ?? [];
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await (await request.get(url, { headers })).json();
  expect(answer.customers).toHaveLength(3);
  expect(answer.total).toBeGreaterThan(200);
  const password = /Password +(\S+)/.exec(first.output())?.[1];
  const data = { company: 'Written just before', contacts: [{ email: 'last@quark.example' }] };
  expect((await request.post(`${first.baseUrl}/api/v1/identity/customers`, { headers, data })).status()).toBe(201);
  await kill(first);

  const second = await startInstallation({ program: 'demo', dataDir: first.dataDir });
  try {
    await expect.poll(() => second.output()).toContain(`Bearer ${key}`);
    expect(second.output()).toContain(`Password   ${password}`);
    const found = await request.get(`${second.baseUrl}/api/v1/identity/customers?query=written just`, { headers });
    expect(await found.json()).toMatchObject({ count: 1, customers: [{ company: 'Written just before' }] });
  } finally {
    await second.stop();
  }
});

test('a server whose output nobody reads any more goes on, and stops as it is told', async ({ request }) => {
  const installation = await startInstallation();
  installation.process.stdout?.destroy();
  installation.process.stderr?.destroy();
  for (let i = 0; i < 50; i++) expect((await request.get(`${installation.baseUrl}/readyz`)).status()).toBe(200);
  // What it prints on its way out reaches nobody either.
  await installation.stop();
});
