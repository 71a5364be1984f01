import { expect, test, within } from '../support/base-test';
import { freePort, type Installation, startInstallation } from '../support/installation';
import { expectMailed, expectNothingLeft, expectStoredOnce } from '../support/load-checks';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk } from '../support/own-installation';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres';
import { kinds, startLoad } from '../support/writers';

/** The database goes away in the middle of traffic, and comes back. */

const inboundSecret = 'secret-of-this-test';

let outside: OutsideMailServer;
let postgres: OwnPostgres;
let installation: Installation;
let smtpPort = 0;

test.beforeEach(async () => {
  outside = await startOutsideMailServer();
  postgres = await startOwnPostgres();
  smtpPort = await freePort();
  const settings = { SMTP_URL: outside.url, INBOUND_SMTP_PORT: String(smtpPort), INBOUND_SECRET: inboundSecret };
  installation = await startInstallation({ settings: { ...settings, DATABASE_URL: postgres.url } });
});

test.afterEach(async () => {
  await installation?.stop();
  await postgres?.remove();
  await outside?.close();
});

test('everything waits for it: refused for now, not lost, and going on by itself', async ({ request }) => {
  const { baseUrl, dataDir } = installation;
  const desk = await createDesk({ dataDir, databaseUrl: postgres.url });
  const raw = `From: ann@quark.example\r\nTo: ${desk.address}\r\nSubject: Brakes\r\nMessage-ID: <b@quark.example>\r\n\r\nHello`;
  const taken = await request.post(`${baseUrl}/api/inbound/email?recipient=${desk.address}`, {
    headers: { Authorization: `Bearer ${inboundSecret}` },
    data: Buffer.from(raw),
  });
  const { conversationId } = await taken.json();
  const probe = async (path: string) => (await request.get(baseUrl + path)).status();

  const load = startLoad({ baseUrl, smtpPort, inboundSecret, desk, conversationId }, 'again');
  const acknowledged = () => Math.min(...kinds.map((kind) => load.acknowledged(kind).length));
  await expect.poll(acknowledged, { timeout: within(8) }).toBeGreaterThan(5);

  await postgres.stop();
  const goneAt = Date.now();
  const refused = () => Math.min(...kinds.map((kind) => load.refusals.filter(({ write }) => write.kind === kind).length));
  await expect.poll(() => probe('/readyz')).toBe(503);
  expect(await probe('/healthz')).toBe(200);
  await expect.poll(() => refused() >= 5 && Date.now() - goneAt > 5_000, { timeout: within(8) }).toBe(true);
  expect(await probe('/healthz')).toBe(200);
  // A page that needs it, too.
  expect(await probe('/setup?token=x')).toBe(503);
  const before = acknowledged();
  await postgres.start();

  await expect.poll(() => probe('/readyz')).toBe(200);
  await expect.poll(acknowledged, { timeout: within(8) }).toBeGreaterThan(before + 3);
  await load.stop();

  // Refused in a way that makes a client come again.
  const answers = load.refusals.map(({ write: { kind }, sent }) => ({ kind, ...sent }));
  const overHttp = answers.filter(({ kind }) => kind !== 'mail by SMTP');
  expect(overHttp.filter(({ status }) => status !== 503 && status !== 409)).toEqual([]);
  expect(overHttp.filter(({ status, retryAfter }) => status === 503 && !Number(retryAfter))).toEqual([]);
  const overSmtp = new Set(answers.filter(({ kind }) => kind === 'mail by SMTP').map(({ status }) => Math.floor(status / 100)));
  expect(overSmtp).toEqual(new Set([4]));

  const done = load.writes.filter(({ answer }) => answer);
  await expectStoredOnce({ baseUrl, smtpPort, inboundSecret, desk, conversationId }, done, postgres.url);
  await expectMailed(outside, done);
  // A job that was done when its end could not be noted is begun again.
  await expectNothingLeft(postgres.url);
  expectFewWarnings(installation.output());
});

/** An outage is no fault of ours, and a thousand lines of it hide what is. */
function expectFewWarnings(output: string): void {
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string });
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  expect(lines.filter(({ level }) => level === 40).length).toBeLessThan(20);
  // Nothing of it comes past the log.
  expect(output).not.toMatch(/unhandled rejection|⨯|^ {4}at /m);
}
