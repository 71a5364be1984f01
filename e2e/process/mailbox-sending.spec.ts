import { expect, test, within } from '../support/base-test';
import { settingsForDovecot } from '../support/dovecot';
import { freePort, makeDataDir, startInstallation } from '../support/installation';
import { startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk, killGroup } from '../support/own-installation';

test('emails from the address of a mailbox leave by its server alone, signed in, also after kill -9', async () => {
  test.setTimeout(within(120));
  const mailServer = await startOutsideMailServer({ security: 'starttls', password: 'secret' });
  const settings = await settingsForDovecot();
  const place = { dataDir: await makeDataDir(), port: await freePort() };
  let installation = await startInstallation({ settings, ...place });
  const desk = await createDesk(installation);
  const call = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${desk.key}`, 'Content-Type': 'application/json' };
    return fetch(`${installation.baseUrl}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const send = (from: string) =>
    call('/conversations', { to: ['ann@quark.example'], subject: `From ${from}`, text: 'Hello', from });
  const [address, password] = ['shop@quark.example', 'secret'];
  const outgoing = { host: '127.0.0.1', port: mailServer.port, security: 'starttls', username: 'shop' };
  const mailbox = { address, host: '127.0.0.1', port: 1, password, outgoing };
  expect(
    await (await call('/mailboxes/check', { ...mailbox, outgoing: { ...outgoing, password: 'wrong' } })).json(),
  ).toMatchObject({
    outgoingProblem: { code: 'credentials' },
  });
  expect(await (await call('/mailboxes/check', mailbox)).json()).toMatchObject({ outgoingProblem: null });
  expect((await call('/mailboxes', mailbox)).status).toBe(201);

  // No SMTP_URL is set: what is from another address waits.
  for (const from of [address, desk.address]) expect((await send(from)).status).toBe(201);
  await expect.poll(() => mailServer.accepted.length, { timeout: within(20) }).toBe(1);
  mailServer.behave({ message: () => ({ code: 451, message: '4.3.0 Later' }) });
  expect((await send(address)).status).toBe(201);
  await killGroup(installation);
  mailServer.behave({});
  installation = await startInstallation({ settings, ...place });
  try {
    await expect.poll(() => mailServer.accepted.length, { timeout: within(90), intervals: [500] }).toBe(2);
    expect(mailServer.accepted).toMatchObject(
      [1, 2].map(() => ({
        ...{ user: 'shop', from: address, recipients: ['ann@quark.example'] },
        raw: expect.stringContaining(`Subject: From ${address}`),
      })),
    );
  } finally {
    await installation.stop();
    await mailServer.close();
  }
});
