import { utimes } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { env } from '@/server/platform/env';
import { openStored, storeBytes } from '@/server/platform/files/content-store';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { running } from '@/server/testing/jobs';
import { deliver, mailBytes, receiveBytes } from '@/server/testing/mail';
import { fileSweep } from './file-sweep.service';

withFreshDatabase();

async function age(sha256: string): Promise<void> {
  const old = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
  await utimes(path.join(env().DATA_DIR, 'files', sha256.slice(0, 2), sha256), old, old);
}

const sweep = () => fileSweep.run(running({}));

test('the sweep removes files that no row names, and no other', async () => {
  await createTestIdentity({ address: 'desk@here.example' });
  const { messageId } = await deliver({ headers: { 'Content-Type': 'application/pdf' } }, { to: 'desk@here.example' });
  const attachment = await prisma().attachment.findFirstOrThrow({ where: { messageId } });
  const parts = '--b\nContent-Type: text/plain\n\nx\n'.repeat(1_200);
  await receiveBytes(mailBytes({ headers: { 'Content-Type': 'multipart/mixed; boundary=b' }, body: parts }), {
    to: 'desk@here.example',
  });
  const quarantined = await prisma().quarantinedMail.findFirstOrThrow();
  const orphan = await storeBytes(Buffer.from('left by a crash'));
  for (const { sha256 } of [attachment, quarantined, orphan]) await age(sha256);
  await sweep();
  expect(await openStored(orphan.sha256)).toBeNull();
  for (const { sha256 } of [attachment, quarantined]) expect(await openStored(sha256)).not.toBeNull();
  await prisma().quarantinedMail.deleteMany({ where: { id: quarantined.id } });
  await sweep();
  expect(await openStored(quarantined.sha256)).toBeNull();
});
