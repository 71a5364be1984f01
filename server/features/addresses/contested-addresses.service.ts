import { prisma } from '@/server/platform/db/prisma';
import { log } from '@/server/platform/log';

/** Addresses listed at a start; the rest is only counted. */
const listedAtStart = 20;

/**
 * Further addresses that no longer receive mail, because another identity uses them as well and neither has proven them. They
 * need a decision by the operator, so every start logs them.
 *
 * @returns what to print on the terminal: one line, or none
 */
export async function contestedAddressesNotice(): Promise<string[]> {
  const where = { status: 'contested' as const };
  const total = await prisma().whitelistedAddress.count({ where });
  if (total === 0) return [];
  const found = await prisma().whitelistedAddress.findMany({
    where,
    orderBy: [{ address: 'asc' }, { id: 'asc' }],
    take: listedAtStart,
    select: { address: true, identity: { select: { handle: true } } },
  });
  const named = found.map(({ address, identity }) => `${address} (${identity.handle})`);
  log().warn({ addresses: named, total }, 'addresses are contested and bring no mail');
  const more = total > named.length ? ` and ${total - named.length} more` : '';
  return [
    `Contested addresses bring no mail until they are proven: ${named.join(', ')}${more}. See "Addresses" in docs/operations.md.`,
  ];
}
