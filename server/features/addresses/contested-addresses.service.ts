import { prisma } from '@/server/platform/db/prisma';
import { log } from '@/server/platform/log';

/** Named at a start; of more, their number. */
const namedAtStart = 20;

/**
 * Further addresses that bring no mail any more, because they are also someone else's and no one has proven whose they are. They wait for
 * a decision, so every start logs them.
 *
 * @returns what to tell the person at the terminal: one line, or none
 */
export async function tellContestedAddresses(): Promise<string[]> {
  const where = { status: 'contested' as const };
  const total = await prisma().whitelistedAddress.count({ where });
  if (total === 0) return [];
  const found = await prisma().whitelistedAddress.findMany({
    where,
    orderBy: [{ address: 'asc' }, { id: 'asc' }],
    take: namedAtStart,
    select: { address: true, identity: { select: { handle: true } } },
  });
  const named = found.map(({ address, identity }) => `${address} (${identity.handle})`);
  log().warn({ addresses: named, total }, 'addresses are contested and bring no mail');
  const more = total > named.length ? ` and ${total - named.length} more` : '';
  return [
    `Contested addresses bring no mail until they are proven: ${named.join(', ')}${more}. See "Addresses" in docs/operations.md.`,
  ];
}
