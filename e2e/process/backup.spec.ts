import { execFile } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { APIRequestContext } from '@playwright/test';
import { expect, test, within } from '../support/base-test';
import { keyOf } from '../support/demo';
import { freePort, type Installation, makeDataDir, startInstallation } from '../support/installation';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk, type Desk, databaseOf, type Ended, queryDatabase, resultOf, runProgram } from '../support/own-installation';
import { kinds, startLoad } from '../support/writers';

/** Backups that are taken while people work, and what comes back of them in an empty installation. */

const inboundSecret = 'secret-of-this-test';

let outside: OutsideMailServer;

test.beforeEach(async () => {
  outside = await startOutsideMailServer();
});

test.afterEach(() => outside.close());

interface Manifest {
  tables: { name: string; rows: number; sha256: string }[];
  sequences: object[];
  files: { count: number };
}

async function manifestOf(file: string): Promise<Manifest> {
  const { stdout } = await promisify(execFile)('tar', ['-xOf', file, 'manifest.json'], { maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout) as Manifest;
}

const backUp = (dataDir: string, file: string) => resultOf(runProgram('backup', { DATA_DIR: dataDir }, '--to', file));
const restore = (dataDir: string, file: string) => resultOf(runProgram('restore', { DATA_DIR: dataDir }, '--from', file));

/** The bytes of every stored file by its name. */
async function storedFiles(dataDir: string): Promise<Map<string, string>> {
  const folder = path.join(dataDir, 'files');
  const names = (await readdir(folder, { recursive: true })).filter((name) => /[0-9a-f]{64}$/.test(name)).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await readFile(path.join(folder, name))).toString('base64')] as const)),
  );
}

async function get(request: APIRequestContext, { baseUrl }: Installation, key: string, address: string) {
  const response = await request.get(`${baseUrl}/api/v1${address}`, { headers: { Authorization: `Bearer ${key}` } });
  expect(response.status(), address).toBe(200);
  return response.json();
}

async function begin({ baseUrl }: Installation, desk: Desk): Promise<string> {
  const body = `From: ann@quark.example\r\nTo: ${desk.address}\r\nSubject: Brakes\r\nMessage-ID: <b@quark.example>\r\n\r\nHello`;
  const address = `${baseUrl}/api/inbound/email?recipient=${desk.address}`;
  const response = await fetch(address, { method: 'POST', headers: { Authorization: `Bearer ${inboundSecret}` }, body });
  return ((await response.json()) as { conversationId: string }).conversationId;
}

test('a backup under load comes back whole in an empty installation, and the product goes on there', async ({ request }) => {
  test.setTimeout(within(60));
  const smtpPort = await freePort();
  const settings = { SMTP_URL: outside.url, INBOUND_SMTP_PORT: String(smtpPort), INBOUND_SECRET: inboundSecret };
  const first = await startInstallation({ program: 'demo', settings });
  const demoKey = await keyOf(first);
  const desk = await createDesk(first);
  const files = await makeDataDir();
  const [during, after, again] = ['during.tar.gz', 'after.tar', 'again.tar'].map((name) => path.join(files, name)) as [
    string,
    string,
    string,
  ];

  const load = startLoad(
    { baseUrl: first.baseUrl, smtpPort, inboundSecret, desk, conversationId: await begin(first, desk) },
    'end',
    1,
  );
  await expect
    .poll(() => Math.min(...kinds.map((kind) => load.acknowledged(kind).length)), { timeout: within(8) })
    .toBeGreaterThan(3);
  const before = load.writes.filter(({ answer }) => answer);
  const summary = await backUp(first.dataDir, during);
  const atTheEnd = load.writes.filter(({ answer }) => answer).length;
  await load.stop();
  expect(load.refusals).toEqual([]);
  expect(atTheEnd).toBeGreaterThan(before.length);
  expect(summary).toMatchObject({ file: during, bytes: (await stat(during)).size });
  expect((await stat(during)).mode & 0o777).toBe(0o600);
  await first.stop({ keepData: true });
  await backUp(first.dataDir, after);

  // What was taken under load is one moment: all that was acknowledged before, and whole.
  const moment = { dataDir: await makeDataDir() };
  expect(await restore(moment.dataDir, during)).toMatchObject({ rows: summary.rows, files: summary.files, migrated: [] });
  const earlier = await startInstallation({ dataDir: moment.dataDir });
  try {
    const url = await databaseOf(moment);
    const companies = await queryDatabase<{ company: string }>(url, `SELECT company FROM customers WHERE company LIKE 'Load %'`);
    for (const { name } of before.filter(({ kind }) => kind === 'customer'))
      expect(companies).toContainEqual({ company: `Load ${name}` });
    expect((await get(request, earlier, desk.key, '/identity/customers?limit=1')).total).toBe(companies.length);
    const [twice] = await queryDatabase<{ mails: number }>(
      url,
      'SELECT count(*)::int - count(DISTINCT message_id_header)::int AS mails FROM outbox_mails',
    );
    expect(twice).toEqual({ mails: 0 });
    const named = await queryDatabase<{ sha256: string }>(
      url,
      'SELECT sha256 FROM attachments UNION SELECT sha256 FROM blog_image_files',
    );
    const stored = [...(await storedFiles(moment.dataDir)).keys()].map((name) => path.basename(name));
    expect(named.filter(({ sha256 }) => !stored.includes(sha256))).toEqual([]);
  } finally {
    await earlier.stop();
  }

  // What was taken at rest is the same in every table and every byte.
  const dataDir = await makeDataDir();
  await restore(dataDir, after);
  await backUp(dataDir, again);
  const [original, restored] = [await manifestOf(after), await manifestOf(again)];
  expect(restored.tables).toEqual(original.tables);
  expect(restored.sequences).toEqual(original.sequences);
  expect(await storedFiles(dataDir)).toEqual(await storedFiles(first.dataDir));

  const second = await startInstallation({ dataDir });
  try {
    expect((await get(request, second, demoKey, '/identity')).scope).toBeTruthy();
    const { total } = await get(request, second, desk.key, '/identity/customers?limit=1');
    expect(total).toBe(load.acknowledged('customer').length);
    const { handle } = await get(request, second, demoKey, '/identity');
    const posts = await queryDatabase<{ path: string }>(
      await databaseOf(second),
      `SELECT '/blog/' || handle || '/' || slug AS path FROM blog_posts JOIN identities ON identities.id = identity_id WHERE status = 'published' LIMIT 3`,
    );
    expect(posts.length, String(handle)).toBeGreaterThan(0);
    for (const post of posts) expect((await request.get(second.baseUrl + post.path)).status(), post.path).toBe(200);
    // An answer link from a mail that went out before the backup.
    const invitation = outside.accepted.find(({ recipients }) =>
      recipients.some((recipient) => recipient.endsWith('@guest.example')),
    );
    const [link = ''] = /\/rsvp\/[\w-]+/.exec(invitation?.raw.replace(/=\r\n/g, '') ?? '') ?? [];
    const page = await request.get(second.baseUrl + link);
    expect([page.status(), await page.text()]).toEqual([200, expect.stringContaining('Load ')]);
    const { stderr } = await runProgram('restore', { DATA_DIR: dataDir }, '--from', after);
    expect(stderr).toMatch(/^Another Frontdesk server is using the data directory .*\n$/);
  } finally {
    await second.stop({ keepData: true });
  }
  expect(await runProgram('restore', { DATA_DIR: dataDir }, '--from', after)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^This installation is not empty \(\w+ has rows\)\. .*\n$/),
  });
});

test('what can’t be done is said in one line', async () => {
  const [dataDir, files] = [await makeDataDir(), await makeDataDir()];
  const notes = path.join(files, 'notes.tar');
  await writeFile(notes, 'Dear diary. '.repeat(100));
  const refusals: [Promise<Ended>, RegExp][] = [
    [runProgram('backup', { DATA_DIR: dataDir }), /^Usage: npm run -s backup/],
    [runProgram('backup', { DATA_DIR: dataDir }, '--to', 'backup.zip'), /^Usage: npm run -s backup/],
    [runProgram('backup', { DATA_DIR: dataDir }, '--to', path.join(files, 'a.tar')), /^There is no installation in /],
    [runProgram('restore', { DATA_DIR: dataDir }), /^Usage: npm run -s restore/],
    [runProgram('restore', { DATA_DIR: dataDir }, '--from', path.join(files, 'none.tar')), /none\.tar: there is no such file/],
    [runProgram('restore', { DATA_DIR: dataDir }, '--from', notes), /^The backup is damaged: /],
  ];
  for (const [ending, line] of refusals) {
    const { code, stdout, stderr } = await ending;
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toMatch(line);
  }
  expect(await readdir(files)).toEqual(['notes.tar']);
});
