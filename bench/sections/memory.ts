import { measure } from '../load';
import { mostMemoryOf } from '../proc';
import { milliseconds, type Table, whole } from '../table';
import { openConversations } from './conversations';

/** How much memory the server takes while many clients list conversations, whose answers are large and short-lived. */
export async function memory({ quick }: { quick: boolean }): Promise<Table> {
  const count = 20_000;
  const { product, database, reads, close } = await openConversations(count);
  try {
    const list = reads['a hundred'];
    if (!list) throw new Error('no read of a hundred');
    const idle = product.residentMemory();
    const result = await measure(product, database.pid, list, { connections: 20, duration: quick ? 10 : 60, status: 200 });
    const held = product.residentMemory();
    const megabytes = (value: number | null) => (value === null ? '–' : `${value} MB`);
    return {
      title: 'Memory under lists',
      note:
        `One identity with ${whole(count)} conversations, 20 clients that list a hundred at a time: ${whole(result.perSecond)} requests a second, ` +
        `p50 ${milliseconds(result.p50)} ms, p99 ${milliseconds(result.p99)} ms.`,
      head: ['What', 'Measured', 'Target'],
      rows: [
        ['memory of the Node process before', megabytes(idle), ''],
        ['at the end', megabytes(held), ''],
        ['most', megabytes(mostMemoryOf(product.pid)), 'under 350 MB'],
      ],
    };
  } finally {
    await close();
  }
}
