import { Socket } from 'node:net';
import type { APIRequestContext } from '@playwright/test';
import { expect, test } from '../support/base-test';
import { type OutsideDnsServer, startOutsideDnsServer } from '../support/dns-server';
import { freePort, type Installation, startInstallation } from '../support/installation';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk, type Desk, databaseOf, queryDatabase, resultOf, runProgram } from '../support/own-installation';

/** Addresses of the built product, as an owner proves them: mail in and out, DNS, and the operator's command line. */

test.describe.configure({ mode: 'serial' });

let outside: OutsideMailServer;
let dns: OutsideDnsServer;
let desk: Installation;
let smtpPort = 0;
let acme: Desk;
let stranger: Desk;

const settings = () => ({ SMTP_URL: outside.url, DNS_SERVERS: dns.address, INBOUND_SMTP_PORT: String(smtpPort) });

test.beforeAll(async () => {
  [outside, dns, smtpPort] = [await startOutsideMailServer(), await startOutsideDnsServer(), await freePort()];
  desk = await startInstallation({ settings: settings() });
  acme = await createDesk(desk);
  stranger = await createDesk(desk);
});

test.afterAll(async () => {
  await desk?.stop();
  await outside?.close();
  await dns?.close();
});

/** The owner's browser, signed in just now. */
async function signedIn(browser: APIRequestContext, { email, password }: Desk) {
  const { csrfToken } = await (await browser.get(`${desk.baseUrl}/api/auth/csrf`)).json();
  await browser.post(`${desk.baseUrl}/api/auth/callback/credentials`, { form: { email, password, csrfToken, json: 'true' } });
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  return async (procedure: string, data: object) => {
    const answer = await browser.post(`${desk.baseUrl}/api/trpc/identity.${procedure}`, { headers, data });
    return { status: answer.status(), body: await answer.json() };
  };
}

/** What the SMTP listener says to a recipient. */
async function answerTo(recipient: string): Promise<string> {
  const socket = new Socket().connect(smtpPort, '127.0.0.1');
  const lines = ['EHLO outside.example', 'MAIL FROM:<ann@outside.example>', `RCPT TO:<${recipient}>`, 'QUIT'];
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
    // A reply has ended when its last line has no hyphen behind the code.
    if (/(^|\r\n)\d{3} [^\r\n]*\r\n$/.test(String(data))) socket.write(`${lines.shift() ?? 'NOOP'}\r\n`);
  });
  // The last line may meet a connection that is closed already.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return text.split('\r\n').findLast((line) => /^(250|550)[ -]/.test(line)) ?? text;
}

const domainOf = ({ address }: Desk) => address.split('@')[1] ?? '';

test('the address of another business’ agent is refused, and its mail stays there', async ({ request }) => {
  const call = await signedIn(request, stranger);
  const theirs = `inbox-manager@${domainOf(acme)}`;
  expect(await call('addAddress', { handle: 'im', address: theirs })).toMatchObject({ status: 409 });
  expect(await answerTo(theirs)).toMatch(/^250/);
});

test('a new address brings mail once the code mailed to it is entered', async ({ request }) => {
  const call = await signedIn(request, stranger);
  const address = 'bob@proven.example';
  expect(await call('addAddress', { handle: 'bob', address })).toMatchObject({ status: 200 });
  expect(await answerTo(address)).toMatch(/^550/);
  expect(await call('sendAddressCode', { address })).toMatchObject({ status: 200 });
  const mailed = () => outside.accepted.find(({ recipients }) => recipients.includes(address));
  await expect.poll(mailed).toBeTruthy();
  const code = /^\d{8}\r?$/m.exec(mailed()?.raw ?? '')?.[0].trim() ?? '';
  expect(await call('confirmAddressCode', { address, code: code === '00000000' ? '11111111' : '00000000' })).toMatchObject({
    status: 400,
  });
  expect(await call('confirmAddressCode', { address, code })).toMatchObject({ status: 200 });
  expect(await answerTo(address)).toMatch(/^250/);
  expect(desk.output()).not.toContain(code);
});

test('a TXT record proves the domain for its owner alone', async ({ request }) => {
  const call = await signedIn(request, stranger);
  const address = 'sales@by-dns.example';
  await call('addAddress', { handle: 'sales', address });
  const { body } = await call('checkAddressDomain', { address });
  const { domain } = body.result.data.addresses.find((each: { address: string }) => each.address === address);
  expect(domain.problem).toContain('has no frontdesk-verification record yet');
  dns.records.set('by-dns.example', [domain.record]);
  await expect.poll(async () => (await call('checkAddressDomain', { address })).status).toBe(200);
  expect(await answerTo(address)).toMatch(/^250/);
});

test('the operator decides whose an address is, and each start names what is contested', async () => {
  const admin = (...args: string[]) => runProgram('admin', { DATA_DIR: desk.dataDir }, ...args);
  const created = ['--handle', 'taker', '--owner-email', 'o@taker.example', '--owner-password', 'correct horse battery'];
  const wanted = ['--whitelist', 'bob=bob@proven.example'];
  const refused = await admin('identity', 'create', ...created, ...wanted);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Add --force to take it over.')]);
  expect(await resultOf(admin('identity', 'create', ...created, ...wanted, '--force'))).toMatchObject({
    taken: [{ address: 'bob@proven.example', from: stranger.handle }],
  });
  const { addresses } = await resultOf(admin('address', 'list', '--status', 'contested'));
  expect(addresses).toMatchObject([{ identity: stranger.handle, address: 'bob@proven.example', usedBy: 'taker' }]);
  const { dataDir } = desk;
  await desk.stop({ keepData: true });
  desk = await startInstallation({ settings: settings(), dataDir });
  await expect.poll(desk.output).toContain(`bob@proven.example (${stranger.handle})`);
  const rows = await queryDatabase(await databaseOf(desk), 'SELECT 1 FROM address_claims WHERE address = $1', [
    'bob@proven.example',
  ]);
  expect(rows).toHaveLength(1);
});
