import { setTimeout } from 'node:timers/promises';
import { expect, test, within } from '../support/base-test';
import { dovecot, settingsForDovecot, startDovecot, type TestDovecot } from '../support/dovecot';
import { freePort, makeDataDir, startInstallation } from '../support/installation';
import { createDesk, databaseOf, killGroup, queryDatabase } from '../support/own-installation';

/** `kill -9`, ten times, while the emails of a mailbox are taken over, and with more that come: each is there once. */

const kills = 10;
const earlier = 400;

let imap: TestDovecot;

// biome-ignore lint/suspicious/noSkippedTests: what can't be had here can't be tested here
test.skip(dovecot === null, 'Dovecot is not installed.');

test.beforeEach(async () => {
  imap = await startDovecot();
});

test.afterEach(() => imap.remove());

const emailOf = (n: number) =>
  `From: Ann <ann@quark.example>\r\nTo: shop@quark.example\r\nSubject: Message ${n}\r\nMessage-ID: <${n}@quark.example>\r\n\r\nText ${n}\r\n`;

test('ten times kill -9: every email of a mailbox is taken over once', async () => {
  test.setTimeout(within(180));
  await imap.append(
    'shop',
    Array.from({ length: earlier }, (_, n) => emailOf(n)),
  );
  const dataDir = await makeDataDir();
  const [port, settings] = [await freePort(), await settingsForDovecot()];
  const start = () => startInstallation({ settings, dataDir, port });
  let installation = await start();
  const desk = await createDesk(installation);
  const { host, port: imapPort, username, password } = imap.server('shop');
  const created = await fetch(`${installation.baseUrl}/api/v1/mailboxes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${desk.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ address: 'shop@quark.example', host, port: imapPort, username, password }),
  });
  expect(created.status).toBe(201);
  const countIn = (url: string) => queryDatabase<{ total: number }>(url, 'SELECT count(*)::int AS total FROM messages');
  const first = await databaseOf(installation);
  await expect.poll(async () => (await countIn(first))[0]?.total, { timeout: within(60), intervals: [50] }).toBeGreaterThan(0);
  let sent = earlier;
  for (let kill = 1; kill <= kills; kill++) {
    await setTimeout(Math.random() * 700);
    await imap.append('shop', [emailOf(sent++)]);
    await killGroup(installation);
    installation = await start();
  }
  try {
    const url = await databaseOf(installation);
    const count = () => countIn(url);
    await expect.poll(count, { timeout: within(60), intervals: [500] }).toEqual([{ total: sent }]);
    const subjects = await queryDatabase<{ subject: string }>(url, 'SELECT DISTINCT subject FROM messages');
    expect(subjects).toHaveLength(sent);
    const state = 'SELECT import_done, import_total, problem FROM mailbox_states';
    await expect
      .poll(() => queryDatabase(url, state), { timeout: within(20) })
      .toEqual([{ import_done: earlier, import_total: earlier, problem: null }]);
    await imap.append('shop', [emailOf(sent)]);
    await expect.poll(count, { timeout: within(10), intervals: [200] }).toEqual([{ total: sent + 1 }]);
  } finally {
    await installation.stop();
  }
});
