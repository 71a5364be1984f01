import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkFiles } from '@/server/features/mail/file-check.service';
import { prisma } from '@/server/platform/db/prisma';
import { env, overrideEnv } from '@/server/platform/env';
import { openStored, storeBytes } from '@/server/platform/files/content-store';
import { moveFiles } from '@/server/platform/files/move-files';
import { withFreshDatabase } from '@/server/testing/database';
import { connect, withEmptyInstallation } from '@/server/testing/empty-installation';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver, mailBytes, receiveBytes } from '@/server/testing/mail';
import { settingsOf, startObjectStore, swiftServer, type TestObjectStore } from '@/server/testing/object-store';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { openBackup, restoreBackup } from './restore-backup';
import { takeBackup } from './take-backup';

/** The whole way of files with FILES_URL: mail in, downloads, outages, moves, backups. */
withFreshDatabase();
const call = withHttpServer();

const to = 'desk@here.example';
let swift: TestObjectStore;
let desk: TestIdentity;

async function newAttachment(body: string): Promise<{ id: string; sha256: string }> {
  const headers = { 'Content-Type': 'application/pdf', 'Content-Disposition': 'attachment; filename="a.pdf"' };
  const { messageId } = await deliver({ headers, body }, { to });
  return prisma().attachment.findFirstOrThrow({ where: { messageId } });
}

async function download(id: string) {
  return call('GET', `/api/mail/attachments/${id}`, { headers: { cookie: await sessionCookieOf(desk) } });
}

async function backUp(file: string) {
  const client = await connect(env().DATABASE_URL ?? '');
  try {
    return await takeBackup(client, { file, version: '1.2.3' });
  } finally {
    await client.end();
  }
}

describe.skipIf(!swiftServer)('files in an object store', () => {
  beforeAll(async () => {
    swift = await startObjectStore();
    desk = await createTestIdentity({ address: to });
    overrideEnv({ FILES_URL: settingsOf(swift.freshUrl()) });
  });

  afterAll(() => swift?.close());

  test('come in with mail and are downloaded, with nothing left on this machine', async () => {
    const { id } = await newAttachment('A contract');
    const { status, text, headers } = await download(id);
    expect([status, text, headers['content-length']]).toEqual([200, 'A contract', '10']);
    expect(await readdir(path.join(env().DATA_DIR, 'files'))).toEqual(['incoming']);
    expect(await readdir(path.join(env().DATA_DIR, 'files', 'incoming'))).toEqual([]);
  });

  test('answer 503 while the store is away, and mail is to come again', async () => {
    const { id } = await newAttachment('Another contract');
    const { FILES_URL } = env();
    overrideEnv({ FILES_URL: { ...settingsOf(swift.url), endpoint: 'http://127.0.0.1:1' } });
    try {
      const { status, headers } = await download(id);
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      const mail = mailBytes({ headers: { 'Content-Type': 'application/pdf' } });
      await expect(receiveBytes(mail, { to })).rejects.toMatchObject({ code: 'unavailable' });
      expect(await prisma().quarantinedMail.count()).toBe(0);
    } finally {
      overrideEnv({ FILES_URL });
    }
    expect((await download(id)).status).toBe(200);
  });

  test('are checked against the rows', async () => {
    const { sha256 } = await newAttachment('Lost soon');
    const { sha256: other } = await newAttachment('Damaged soon');
    const whole = await checkFiles({ content: true });
    expect(whole).toMatchObject({ missing: 0, damaged: 0, examples: [] });
    const { prefix } = settingsOf(swift.url);
    const key = (hash: string) => `${env().FILES_URL?.prefix ?? prefix}${hash.slice(0, 2)}/${hash}`;
    await swift.send('DELETE', key(sha256));
    await swift.send('PUT', key(other), { body: 'Damaged now.' });
    expect(await checkFiles({ content: false })).toMatchObject({ ...whole, missing: 1, examples: [sha256] });
    const found = await checkFiles({ content: true });
    expect(found).toMatchObject({ ...whole, missing: 1, damaged: 1, examples: expect.arrayContaining([sha256, other]) });
    for (const content of ['Lost soon', 'Damaged soon']) await storeBytes(Buffer.from(content));
    expect(await checkFiles({ content: true })).toEqual(whole);
  });

  test.each(['s3', 'local'] as const)('are backed up, and restored from %s into the other store', async (from) => {
    const { sha256 } = await newAttachment('Kept');
    const directory = await mkdtemp(path.join(inject('testDirectory'), 'backup-'));
    const { FILES_URL } = env();
    if (from === 'local') {
      await moveFiles({ to: 'local', deleteSource: false });
      overrideEnv({ FILES_URL: undefined });
    }
    try {
      const { file, files } = await backUp(path.join(directory, 'a.tar.gz'));
      expect(files).toBeGreaterThan(0);
      await withEmptyInstallation(async (there) => {
        overrideEnv({ FILES_URL: from === 's3' ? undefined : settingsOf(swift.freshUrl()) });
        await restoreBackup(there, await openBackup(file));
        const opened = await openStored(sha256);
        expect(opened && (await buffer(opened.stream)).toString()).toBe('Kept');
        const folders = await readdir(path.join(there.dataDir, 'files'));
        expect(folders.length > 1).toBe(from === 's3');
      });
    } finally {
      overrideEnv({ FILES_URL });
      await rm(directory, { recursive: true });
    }
  });
});
