import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, within } from '../support/base-test';
import { freePort, type Installation, makeDataDir, startInstallation } from '../support/installation';
import { expectMailed, expectNothingLeft, expectStoredOnce } from '../support/load-checks';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk, type Desk, databaseOf, killGroup } from '../support/own-installation';
import { isDone, kinds, type Load, send, startLoad, type Target, type Write } from '../support/writers';

/** `kill -9` under every kind of write at once, again and again, on the same data. */

const inboundSecret = 'secret-of-this-test';

let outside: OutsideMailServer;

test.beforeEach(async () => {
  outside = await startOutsideMailServer();
});

test.afterEach(() => outside.close());

/** A conversation to reply to, begun by a mail from outside. */
async function beginConversation({ baseUrl }: Installation, desk: Desk): Promise<string> {
  const url = `${baseUrl}/api/inbound/email?recipient=${encodeURIComponent(desk.address)}`;
  const body = `From: ann@quark.example\r\nTo: ${desk.address}\r\nSubject: Brakes\r\nMessage-ID: <brakes@quark.example>\r\n\r\nHello`;
  const response = await fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${inboundSecret}` }, body });
  expect(response.status).toBe(200);
  return ((await response.json()) as { conversationId: string }).conversationId;
}

/** Sends a write again as its client would: until it is carried out, or was. */
async function repeat(write: Write, target: Target): Promise<void> {
  const wasAcknowledged = write.answer !== undefined;
  await expect
    .poll(
      async () => {
        const sent = await send(write, target);
        if (wasAcknowledged) expect(sent.body.code).not.toBe('idempotency_answer_lost');
        if (wasAcknowledged && sent.isReplay) expect(sent.body).toEqual(write.answer);
        if (isDone(sent)) write.answer ??= sent.body;
        return isDone(sent);
      },
      { message: `${write.kind} ${write.name}` },
    )
    .toBe(true);
}

/** The database's own process; with it gone as well, the machine might as well have lost its power. */
async function killDatabase({ dataDir }: Installation): Promise<void> {
  const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

async function everyKindAcknowledged(load: Load, times: number): Promise<void> {
  await expect
    .poll(() => Math.min(...kinds.map((kind) => load.acknowledged(kind).length)), { timeout: within(8) })
    .toBeGreaterThan(times);
}

test('three times kill -9 under load: what was acknowledged is there, once, and all that was begun is finished', async () => {
  test.setTimeout(within(60));
  const smtpPort = await freePort();
  const settings = { SMTP_URL: outside.url, INBOUND_SMTP_PORT: String(smtpPort), INBOUND_SECRET: inboundSecret };
  const dataDir = await makeDataDir();
  const start = () => startInstallation({ settings, dataDir });
  let installation = await start();
  const desk = await createDesk(installation);
  const conversationId = await beginConversation(installation, desk);
  const target = (): Target => ({ baseUrl: installation.baseUrl, smtpPort, inboundSecret, desk, conversationId });
  const writes: Write[] = [];

  for (const round of [1, 2, 3]) {
    const load = startLoad(target(), 'end');
    await everyKindAcknowledged(load, 10);
    await Promise.all([killGroup(installation), ...(round === 2 ? [killDatabase(installation)] : [])]);
    await load.stop();
    writes.push(...load.writes);
    installation = await start();
    // Who was not answered sends again, and so does a careful one who was.
    const unanswered = load.writes.filter(({ answer }) => !answer);
    const some = kinds.flatMap((kind) => load.acknowledged(kind).slice(-2));
    await Promise.all([...unanswered, ...some].map((write) => repeat(write, target())));
  }

  try {
    const databaseUrl = await databaseOf(installation);
    await expectStoredOnce(target(), writes, databaseUrl);
    await expectMailed(outside, writes);
    await expectNothingLeft(databaseUrl);
  } finally {
    await installation.stop();
  }
});
