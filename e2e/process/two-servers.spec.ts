import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { acceptedFor } from '../support/accepted-for';
import { expect, test, within } from '../support/base-test';
import { type Installation, startInstallation } from '../support/installation';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk, type Desk, databaseOf, queryDatabase, resultOf, runProgram } from '../support/own-installation';

/** Two servers on one database are one product: whatever one of them knows, the other goes by. */

test.describe.configure({ mode: 'serial' });

const inboundSecret = 'secret-of-this-test';

let outside: OutsideMailServer;
let first: Installation;
let second: Installation;
let databaseUrl = '';

test.beforeAll(async () => {
  outside = await startOutsideMailServer();
  const settings = { SMTP_URL: outside.url, INBOUND_SECRET: inboundSecret };
  first = await startInstallation({ settings });
  databaseUrl = await databaseOf(first);
  const secret = (await readFile(path.join(first.dataDir, 'auth-secret'), 'utf8')).trim();
  second = await startInstallation({ settings: { ...settings, DATABASE_URL: databaseUrl, AUTH_SECRET: secret } });
});

test.afterAll(async () => {
  await second?.stop();
  await first?.stop();
  await outside?.close();
});

const both = () => [first, second];
const headersOf = ({ key }: Pick<Desk, 'key'>) => ({ Authorization: `Bearer ${key}` });
const statusOf = async (request: APIRequestContext, { baseUrl }: Installation, desk: Desk) =>
  (await request.get(`${baseUrl}/api/v1/identity`, { headers: headersOf(desk) })).status();

test('a day’s requests are counted over both, to the last one', async ({ request }) => {
  const desk = await createDesk(first, 'free');
  const ask = (index: number) => statusOf(request, index % 2 ? first : second, desk);
  const statuses = await Promise.all(Array.from({ length: 130 }, (_, index) => ask(index)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  for (const server of both()) expect(await statusOf(request, server, desk)).toBe(429);
});

test('a revoked key stops on both within a second', async ({ request }) => {
  const desk = await createDesk(first);
  const statuses = () => Promise.all(both().map((server) => statusOf(request, server, desk)));
  expect(await statuses()).toEqual([200, 200]);
  // Past both servers, and without a process that would take its time to end.
  await queryDatabase(databaseUrl, 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', [desk.keyId]);
  expect(await acceptedFor(async () => (await statuses()).includes(200))).toBeLessThan(1_000);
  expect(await statuses()).toEqual([401, 401]);
});

test('who signs in on one is signed in on the other, and signed out on both', async ({ playwright }) => {
  const desk = await createDesk(first);
  // Cookies do not tell ports apart, so one jar serves both.
  const browser = await playwright.request.newContext();
  try {
    const { csrfToken } = await (await browser.get(`${first.baseUrl}/api/auth/csrf`)).json();
    const form = { email: desk.email, password: desk.password, csrfToken, json: 'true' };
    await browser.post(`${first.baseUrl}/api/auth/callback/credentials`, { form });
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const statuses = () =>
      Promise.all(
        both().map(async ({ baseUrl }) =>
          (await browser.get(`${baseUrl}/api/trpc/identity.get?input=%7B%7D`, { headers })).status(),
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    const given = ['--email', desk.email, '--password', 'another long password'];
    await resultOf(runProgram('admin', { DATA_DIR: first.dataDir }, 'user', 'set-password', ...given));
    expect(await acceptedFor(async () => (await statuses()).includes(200))).toBeLessThan(2_000);
    expect(await statuses()).toEqual([401, 401]);
  } finally {
    await browser.dispose();
  }
});

test('a request that reaches both at once under one key is carried out once', async ({ request }) => {
  const desk = await createDesk(first);
  const create = async (server: Installation, name: string) => {
    const response = await request.post(`${server.baseUrl}/api/v1/identity/customers`, {
      headers: { ...headersOf(desk), 'Idempotency-Key': name },
      data: { company: name, contacts: [{ email: `${name}@once.example` }] },
    });
    return { status: response.status(), id: (await response.json()).id as string | undefined };
  };
  const names = Array.from({ length: 25 }, () => `once-${randomUUID()}`);
  for (const name of names) {
    const answers = await Promise.all([first, second, first, second].map((server) => create(server, name)));
    const created = answers.filter(({ status }) => status === 201);
    // Who comes in the middle of it is told to wait.
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
  }
  const [row] = await queryDatabase<{ count: number }>(
    databaseUrl,
    `SELECT count(*)::int FROM customers JOIN identities ON identities.id = customers.identity_id WHERE handle = $1`,
    [desk.handle],
  );
  expect(row?.count).toBe(names.length);
});

test('each job is done by one of them', async ({ request }) => {
  const desk = await createDesk(first);
  const raw = `From: ann@quark.example\r\nTo: ${desk.address}\r\nSubject: Brakes\r\nMessage-ID: <b@quark.example>\r\n\r\nHello`;
  const taken = await request.post(`${first.baseUrl}/api/inbound/email?recipient=${desk.address}`, {
    headers: { Authorization: `Bearer ${inboundSecret}` },
    data: Buffer.from(raw),
  });
  const { conversationId } = await taken.json();
  const texts = Array.from({ length: 40 }, () => `Once ${randomUUID()}`);
  const reply = async (text: string, index: number) => {
    const { baseUrl } = index % 2 ? first : second;
    const address = `${baseUrl}/api/v1/conversations/${conversationId}/messages`;
    const headers = { ...headersOf(desk), 'Idempotency-Key': randomUUID() };
    const send = async () => (await request.post(address, { headers, data: { text } })).status();
    let status = 0;
    // All of them change one conversation: who waited too long for it is asked to come again.
    await expect(async () => {
      status = await send();
      expect(status).not.toBe(503);
    }).toPass();
    expect(status).toBe(201);
  };
  await Promise.all(texts.map(reply));
  const left = () =>
    queryDatabase<{ state: string }>(
      databaseUrl,
      `SELECT state FROM outbox_mails JOIN identities ON identities.id = identity_id WHERE handle = $1 AND state <> 'sent'`,
      [desk.handle],
    );
  await expect.poll(left, { timeout: within(8) }).toEqual([]);
  const sent = outside.accepted.map(({ raw: mail }) => /Once [0-9a-f-]{36}/.exec(mail)?.[0]).filter(Boolean);
  expect(sent.sort()).toEqual([...texts].sort());
});
