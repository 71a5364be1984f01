import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '../support/base-test';
import { makeFileThatHangs } from '../support/hanging-file';
import { makeDataDir, startInstallation } from '../support/installation';
import { createDesk, databaseOf, queryDatabase, startProgram } from '../support/own-installation';

/** A disk or a share that does not answer any more: whoever waits for it gives up, and ends. */

const inboundSecret = 'secret-of-this-test';

const mail = (address: string) =>
  [
    'From: ann@quark.example',
    `To: ${address}`,
    'Subject: Brakes',
    'Message-ID: <b@quark.example>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=xx',
    '',
    '--xx\r\nContent-Type: text/plain\r\n\r\nHello',
    '--xx\r\nContent-Type: application/pdf; name="plan.pdf"\r\n\r\nthe plan',
    '--xx--\r\n',
  ].join('\r\n');

test('a backup without progress ends with an error, a restore ends when it is told to, and nothing is left of either', async ({
  request,
}) => {
  const installation = await startInstallation({ settings: { INBOUND_SECRET: inboundSecret } });
  const files = await makeDataDir();
  try {
    const desk = await createDesk(installation);
    const taken = await request.post(`${installation.baseUrl}/api/inbound/email?recipient=${desk.address}`, {
      headers: { Authorization: `Bearer ${inboundSecret}` },
      data: Buffer.from(mail(desk.address)),
    });
    expect(taken.status()).toBe(200);
    const url = await databaseOf(installation);
    const [{ sha256 } = { sha256: '' }] = await queryDatabase<{ sha256: string }>(url, 'SELECT sha256 FROM attachments');
    const stored = path.join(installation.dataDir, 'files', sha256.slice(0, 2), sha256);
    await rename(stored, `${stored}.away`);
    await makeFileThatHangs(stored);
    const archive = path.join(files, 'hanging.tar');
    const hanging = await makeFileThatHangs(archive);

    const startedAt = performance.now();
    const backup = startProgram('backup', { DATA_DIR: installation.dataDir }, '--to', path.join(files, 'backup.tar.gz'));
    const elsewhere = await makeDataDir();
    const restore = startProgram('restore', { DATA_DIR: elsewhere }, '--from', archive);
    // By then the backup waits for the file.
    await expect.poll(() => readdir(files)).toContainEqual(expect.stringMatching(/^backup\.tar\.gz\.partial-/));
    await hanging.untilRead();
    restore.process.kill('SIGINT');
    const stopped = await restore.ended;
    expect(stopped.code).not.toBe(0);
    expect(stopped.stderr.trim()).toBe('Stopped; nothing was done.');
    await hanging.release();
    expect(performance.now() - startedAt).toBeLessThan(40_000);

    const given = await backup.ended;
    const ms = performance.now() - startedAt;
    expect(given.code).not.toBe(0);
    expect(given.stdout).toBe('');
    expect(given.stderr.trim()).toBe('Given up: no progress for 60 s. A disk, a share or the database does not answer any more.');
    expect(ms).toBeGreaterThan(60_000);
    expect(ms).toBeLessThan(100_000);
    expect(await readdir(files)).toEqual(['hanging.tar']);
    const locks = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'frontdesk-backup'`;
    await expect.poll(() => queryDatabase(url, locks)).toEqual([]);
    await rm(stored);
    await rename(`${stored}.away`, stored);
  } finally {
    await installation.stop();
  }
});
