import { readdir } from 'node:fs/promises';
import path from 'node:path';
import nodemailer from 'nodemailer';
import sharp from 'sharp';
import { expect, test } from '../support/base-test';
import { freePort, type Installation, makeDataDir, startInstallation } from '../support/installation';
import { createDesk, type Desk, runProgram } from '../support/own-installation';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk';

/** No room for files, or none that may be written: said clearly, survived, and over as soon as there is room again. */

// One after the other on one disk.
test.describe.configure({ mode: 'default' });

const inboundSecret = 'secret-of-this-test';

let disk: SmallDisk | null;
let installation: Installation | undefined;
let desk: Desk;
let smtpPort = 0;
let sent = 0;

test.beforeAll(async () => {
  const dataDir = await makeDataDir();
  disk = await mountSmallDisk(dataDir);
  if (!disk) return;
  smtpPort = await freePort();
  const settings = { INBOUND_SMTP_PORT: String(smtpPort), INBOUND_SECRET: inboundSecret };
  installation = await startInstallation({ dataDir, settings });
  desk = await createDesk(installation);
});

test.afterAll(async () => {
  await installation?.stop({ keepData: true });
  await disk?.remove();
});

const url = (path: string) => `${installation?.baseUrl}${path}`;

async function uploadPicture(): Promise<{ status: number; body: Record<string, unknown>; retryAfter: string | null }> {
  // Noise, which no format makes small.
  const noise = {
    create: { width: 900, height: 600, channels: 3 as const, noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } },
  };
  const content = (
    await sharp({ ...noise, create: { ...noise.create, background: '#888' } })
      .jpeg()
      .toBuffer()
  ).toString('base64');
  const headers = { Authorization: `Bearer ${desk.key}`, 'Content-Type': 'application/json' };
  const response = await fetch(url('/api/v1/blog/images'), { method: 'POST', headers, body: JSON.stringify({ content }) });
  return { status: response.status, body: await response.json(), retryAfter: response.headers.get('retry-after') };
}

/** A mail with an attachment that does not fit into what is left, in either way in. */
function rawMail(): string {
  sent += 1;
  const attachment = Buffer.alloc(200_000, `attachment ${sent} `).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [
    'From: ann@quark.example',
    `To: ${desk.address}`,
    `Subject: With a file ${sent}`,
    `Message-ID: <${sent}@quark.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=xx',
    '',
    '--xx\r\nContent-Type: text/plain\r\n\r\nHello',
    `--xx\r\nContent-Type: application/pdf; name="plan.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}`,
    '--xx--\r\n',
  ].join('\r\n');
}

async function mailBySmtp(): Promise<number> {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true });
  try {
    await transport.sendMail({ envelope: { from: 'ann@quark.example', to: desk.address }, raw: rawMail() });
    return 250;
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? 0;
  } finally {
    transport.close();
  }
}

async function mailByHttp(): Promise<number> {
  const headers = { Authorization: `Bearer ${inboundSecret}`, 'Content-Type': 'message/rfc822' };
  const address = url(`/api/inbound/email?recipient=${desk.address}`);
  return (await fetch(address, { method: 'POST', headers, body: rawMail() })).status;
}

const restricted = {
  full: { begin: () => disk?.fill(), end: () => disk?.free() },
  'read-only': { begin: () => disk?.setReadOnly(true), end: () => disk?.setReadOnly(false) },
};

for (const [state, { begin, end }] of Object.entries(restricted)) {
  test(`a data directory that is ${state} refuses files for now and nothing else`, async ({ request }) => {
    // biome-ignore lint/suspicious/noSkippedTests: what can't be had here can't be tested here
    test.skip(!disk, 'Only root may mount a small disk, and only where the container lets it.');
    await begin();
    try {
      const picture = await uploadPicture();
      expect(picture).toMatchObject({
        status: 503,
        body: { code: 'unavailable', message: expect.stringMatching(/room|written/) },
      });
      expect(Number(picture.retryAfter)).toBeGreaterThan(0);
      expect(await mailByHttp()).toBe(503);
      expect(Math.floor((await mailBySmtp()) / 100)).toBe(4);
      for (const path of ['/healthz', '/readyz']) expect((await request.get(url(path))).status()).toBe(200);
      const headers = { Authorization: `Bearer ${desk.key}` };
      const data = { company: state, contacts: [{ email: `${state}@quark.example` }] };
      expect((await request.post(url('/api/v1/identity/customers'), { headers, data })).status()).toBe(201);
    } finally {
      await end();
    }
    expect((await uploadPicture()).status).toBe(201);
    expect([await mailByHttp(), await mailBySmtp()]).toEqual([200, 250]);
  });
}

test('a backup for which there is no room is none, and says so', async () => {
  // biome-ignore lint/suspicious/noSkippedTests: what can't be had here can't be tested here
  test.skip(!disk, 'Only root may mount a small disk, and only where the container lets it.');
  const dataDir = installation?.dataDir ?? '';
  const folder = path.join(dataDir, 'files', 'incoming');
  await disk?.fill();
  try {
    const { code, stdout, stderr } = await runProgram('backup', { DATA_DIR: dataDir }, '--to', path.join(folder, 'backup.tar'));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^.*: there is no room left \(ENOSPC\)\.\n$/);
    expect((await readdir(folder)).filter((name) => name.startsWith('backup'))).toEqual([]);
  } finally {
    await disk?.free();
  }
});
