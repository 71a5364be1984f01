import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { hostileMails } from '@/server/testing/mail-samples/hostile';
import { startDatabase } from '../database';
import { createIdentity } from '../fill';
import { openClient } from '../smtp';
import { milliseconds, type Table, whole } from '../table';
import { type Desk, openDesk } from './mail';

/** What mail that is slow to read does to everybody else: how long they wait for an answer, and how much memory it takes. */

const connections = 20;

interface Attack {
  name: string;
  messages: Buffer[];
  /** True if each connection comes from a network of its own. */
  isSpread: boolean;
}

/** Of each kind of hostile mail one. */
function ofEachKind(bytes: number): Buffer[] {
  return Object.values(hostileMails).map((make) => make(bytes));
}

function ofOneKind(kind: string, bytes: number): Attack {
  const make = hostileMails[kind];
  if (!make) throw new Error(`There is no hostile mail "${kind}".`);
  return { name: kind, messages: Array.from({ length: connections }, () => make(bytes)), isSpread: false };
}

/** Two messages of the same bytes would be one. */
function unique(message: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`X-Run: ${randomUUID()}\r\n`), message]);
}

async function measure(
  { port, recipient, product }: Desk,
  { name, messages, isSpread }: Attack,
  waits: Worker,
): Promise<string[]> {
  const longest = () =>
    new Promise<number>((resolve) => {
      waits.once('message', resolve);
      waits.postMessage('read');
    });
  await longest();
  const before = product.residentMemory();
  let peak = before ?? 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, product.residentMemory() ?? 0);
  }, 5);
  const startedAt = performance.now();
  const waiting = messages.map(unique);
  const answers = new Map<number, number>();
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const client = await openClient(port, recipient, isSpread ? `127.1.${index}.1` : undefined);
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const code = await client.send(next);
        answers.set(code, (answers.get(code) ?? 0) + 1);
      }
      client.close();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(watch);
  const said = [...answers].map(([code, count]) => `${count} × ${code}`).join(', ');
  return [name, milliseconds(await longest()), `${whole(before)} → ${whole(peak)}`, whole(seconds), said];
}

export async function hostileMail({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  const kB = 1_000;
  const MB = 1_000_000;
  const kinds = ['flowed lines', 'quotes', 'lines of one character', 'quoted-printable letters', 'HTML of open elements'];
  try {
    const desk = await openDesk(database, await createIdentity(database.sql, 'enterprise'));
    const waits = new Worker(new URL('../longest-wait.mjs', import.meta.url), { workerData: `${desk.product.url}/healthz` });
    try {
      const rows: string[][] = [];
      const attack = async (each: Attack) => rows.push(await measure(desk, each, waits));
      for (const kind of quick ? kinds.slice(0, 1) : kinds) await attack(ofOneKind(kind, 24 * MB));
      await attack({ name: 'every kind, 30 kB', messages: ofEachKind(30 * kB), isSpread: true });
      await attack({ name: 'every kind, 200 kB', messages: ofEachKind(200 * kB), isSpread: true });
      if (!quick) await attack({ name: 'every kind, 24 MB', messages: ofEachKind(24 * MB), isSpread: true });
      return {
        title: 'Hostile mail',
        note:
          'Messages that are slow to read (server/testing/mail-samples/hostile.ts) over 20 SMTP connections: of 24 MB from one address, unless ' +
          'it is every kind, where each connection comes from another network. Meanwhile another client asks for /healthz again and again. ' +
          'Target: nobody waits longer than 100 ms for the event loop (the rest is two cores shared with the parsing threads), and 500 MB.',
        head: ['Message', 'Longest wait, ms', 'Memory, MB', 'Seconds', 'Answers'],
        rows,
      };
    } finally {
      await waits.terminate();
      await desk.product.stop();
    }
  } finally {
    await database.remove();
  }
}
