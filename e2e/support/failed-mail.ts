import { prisma } from '@/server/platform/db/prisma';
import type { Tenant } from './test';

/**
 * Marks a tenant's mail as the worker does once a mail server has refused it permanently; the installation under test has no
 * mail server.
 */
export async function failMail({ identityId }: Tenant, subject: string, error: string): Promise<void> {
  const { count } = await prisma().outboxMail.updateMany({
    where: { identityId, subject },
    data: { state: 'failed', attempts: 3, error, lastAttemptAt: new Date() },
  });
  await prisma().message.updateMany({
    where: { identityId, direction: 'outbound', outboxMail: { subject } },
    data: { status: 'failed' },
  });
  if (count !== 1) throw new Error(`${count} mails have the subject ${subject}.`);
}
