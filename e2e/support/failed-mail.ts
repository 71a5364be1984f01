import { prisma } from '@/server/platform/db/prisma';
import type { Tenant } from './test';

/** Notes of a tenant's mail what the worker does once a mail server has refused it for good; the installation under test has none. */
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
