import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, test, within } from '../support/base-test';
import { freePort, type Installation, makeDataDir, startInstallation } from '../support/installation';
import { createDesk, type Desk, databaseOf, killGroup, queryDatabase, resultOf, runProgram } from '../support/own-installation';
import { startReceiver } from '../support/webhook-receiver';

/** `kill -9`, twenty times, while customers are created: every event that was committed is delivered, at least once. */

const kills = 20;

let receiver: Awaited<ReturnType<typeof startReceiver>>;

test.beforeEach(async () => {
  receiver = await startReceiver();
});

test.afterEach(() => receiver.stop());

/** Creates customers until it is stopped; requests that fail are given up. */
function createCustomers({ baseUrl }: Installation, { key }: Desk): { first: Promise<void>; stop(): Promise<number> } {
  let isOver = false;
  let created = 0;
  let noteFirst = () => {};
  const first = new Promise<void>((resolve) => {
    noteFirst = resolve;
  });
  const write = async () => {
    while (!isOver) {
      const body = JSON.stringify({ contacts: [{ email: `${randomUUID()}@x.example` }] });
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const answer = await fetch(`${baseUrl}/api/v1/identity/customers`, { method: 'POST', headers, body }).catch(() => null);
      if (answer?.status === 201) created++;
      if (created >= 2) noteFirst();
      // Requests without a pause would take all of the processor from deliveries and restarts.
      await setTimeout(30);
    }
  };
  const writers = Array.from({ length: 4 }, write);
  return {
    first,
    stop: async () => {
      isOver = true;
      await Promise.all(writers);
      return created;
    },
  };
}

test('twenty times kill -9: every committed event is delivered', async () => {
  test.setTimeout(within(120));
  const dataDir = await makeDataDir();
  // The same port, so that the addresses in events stay.
  const port = await freePort();
  const settings = { OUTBOUND_ALLOWLIST: '127.0.0.1' };
  const start = () => startInstallation({ settings, dataDir, port });
  let installation = await start();
  const desk = await createDesk(installation);
  const args = ['--identity', desk.handle, '--url', `${receiver.url}/hook`, '--events', 'customer.*'];
  const { secret } = await resultOf(runProgram('admin', { ...settings, DATA_DIR: dataDir }, 'webhook', 'create', ...args));
  let created = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const load = createCustomers(installation, desk);
    // A server that has just started may take long for its first customers. Then some moment, between requests, statements and attempts.
    await load.first;
    await setTimeout(Math.random() * 700);
    await killGroup(installation);
    created += await load.stop();
    installation = await start();
  }
  try {
    const url = await databaseOf(installation);
    const events = await queryDatabase<{ id: string }>(url, `SELECT id::text FROM event_log WHERE type = 'customer.created'`);
    expect(events.length).toBeGreaterThanOrEqual(created);
    expect(created).toBeGreaterThan(kills);
    const delivered = () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
    const missing = () => events.filter(({ id }) => !delivered().has(id)).length;
    await expect.poll(missing, { timeout: within(23), intervals: [500] }).toBe(0);
    const verifier = new Webhook(String(secret));
    for (const { body, headers } of receiver.requests.slice(-50)) {
      expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({ type: 'customer.created' });
    }
    const text = `SELECT status::text, count(*)::int FROM webhook_deliveries GROUP BY 1`;
    await expect
      .poll(() => queryDatabase(url, text), { timeout: within(8) })
      .toEqual([{ status: 'delivered', count: events.length }]);
    test.info().annotations.push({ type: 'events', description: `${events.length}, ${receiver.requests.length} requests` });
  } finally {
    await installation.stop();
  }
});
