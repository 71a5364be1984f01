import { measure } from '../load';
import { memoryOfFamily, mostMemoryOf } from '../proc';
import { milliseconds, type Table, whole } from '../table';
import { openConversations } from './conversations';

/** Milliseconds between two looks at how much memory there is. */
const interval = 500;

/**
 * How much memory the server takes while many clients list conversations, whose answers are large and short-lived: its process, and the
 * embedded PostgreSQL with all of its own.
 */
export async function memory({ quick }: { quick: boolean }): Promise<Table> {
  const count = 20_000;
  const { product, database, reads, close } = await openConversations(count);
  try {
    const list = reads['a hundred'];
    if (!list) throw new Error('no read of a hundred');
    const look = () => [product.residentMemory() ?? 0, memoryOfFamily(database.pid) ?? 0] as const;
    const idle = look();
    const looks = [idle];
    const timer = setInterval(() => looks.push(look()), interval);
    const result = await measure(product, database.pid, list, { connections: 20, duration: quick ? 10 : 60, status: 200 });
    clearInterval(timer);
    const held = look();
    looks.push(held);
    const most = (of: (one: readonly [number, number]) => number) => Math.max(...looks.map(of));
    const row = (what: string, [server, postgres, both]: readonly number[]) => [
      what,
      ...[server, postgres, both].map((value) => `${value} MB`),
    ];
    return {
      title: 'Memory under lists',
      note:
        `One identity with ${whole(count)} conversations, 20 clients that list a hundred at a time: ${whole(result.perSecond)} requests a second, ` +
        `p50 ${milliseconds(result.p50)} ms, p99 ${milliseconds(result.p99)} ms. The server is its process, the embedded PostgreSQL all of its ` +
        'processes, whose shared memory counts once (PSS) and is mostly its cache. Target: the server at most 400 MB.',
      head: ['When', 'Server', 'PostgreSQL', 'Together'],
      rows: [
        row('before', [...idle, idle[0] + idle[1]]),
        row('at the end', [...held, held[0] + held[1]]),
        row('most', [mostMemoryOf(product.pid) ?? 0, most((one) => one[1]), most((one) => one[0] + one[1])]),
      ],
    };
  } finally {
    await close();
  }
}
