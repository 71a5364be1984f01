import { randomBytes } from 'node:crypto';
import { freePort } from '@/server/platform/db/free-port';
import { startDatabase } from '../database';
import { type BenchIdentity, createIdentity } from '../fill';
import { cpuOf, cpuOfFamily } from '../proc';
import { type BenchServer, startProduct } from '../server';
import { deliver } from '../smtp';
import { milliseconds, type Table, whole } from '../table';

/** Taking mail in over SMTP: how many messages a second, and what a large one does to memory. */

const kB = 1_000;
const MB = 1_000_000;

/** A message of about this many bytes: text, and a file that is most of it. Every third one answers an earlier one. */
function messageOf(bytes: number, run: string): (n: number) => Buffer {
  const text = 'Could you look at the brakes on Friday, and send the offer for the fleet?\r\n'.repeat(20);
  const file = randomBytes(Math.max(0, Math.floor((bytes - text.length - 600) * 0.74)));
  const encoded = file.toString('base64').replace(/.{76}/g, '$&\r\n');
  return (n) =>
    Buffer.from(
      `From: Ann ${n % 50} <ann.${n % 50}@quark.example>\r\nTo: desk@bench.example\r\nSubject: Message ${n}\r\n` +
        `Message-ID: <${run}-${n}@quark.example>\r\n${n % 3 ? '' : `In-Reply-To: <${run}-${n - 1}@quark.example>\r\n`}` +
        `Date: Sat, 21 Nov 2026 09:30:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
        `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n` +
        `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${n}.bin"\r\n` +
        `Content-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n--b--\r\n`,
    );
}

export interface Desk {
  port: number;
  recipient: string;
  product: BenchServer;
  databasePid: number;
}

async function throughput(desk: Desk, name: string, bytes: number, connections: number, seconds: number): Promise<string[]> {
  const { port, recipient, product, databasePid } = desk;
  const make = messageOf(bytes, randomBytes(4).toString('hex'));
  await deliver({ port, recipient, connections, seconds: 1, make: messageOf(bytes, randomBytes(4).toString('hex')) });
  const before = [cpuOf(product.pid), cpuOfFamily(databasePid)];
  const { perSecond, durations } = await deliver({ port, recipient, connections, seconds, make });
  const after = [cpuOf(product.pid), cpuOfFamily(databasePid)];
  const cpu = (index: number) => milliseconds(((after[index] ?? 0) - (before[index] ?? 0)) / durations.length);
  const percentile = (share: number) => milliseconds(durations[Math.floor(durations.length * share)] ?? null);
  return [name, String(connections), whole(perSecond), percentile(0.5), percentile(0.99), cpu(0), cpu(1)];
}

/** Resident memory before, and at most while messages of this size come in one after the other. */
async function memory({ port, recipient, product }: Desk, bytes: number, seconds: number): Promise<string> {
  const before = product.residentMemory();
  let peak = before ?? 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, product.residentMemory() ?? 0);
  }, 5);
  await deliver({ port, recipient, connections: 1, seconds, make: messageOf(bytes, randomBytes(4).toString('hex')) });
  clearInterval(watch);
  return before === null ? '–' : `${whole(before)} → ${whole(peak)}`;
}

export async function openDesk(database: Awaited<ReturnType<typeof startDatabase>>, identity: BenchIdentity): Promise<Desk> {
  const recipient = 'desk@bench.example';
  await database.sql.query(`UPDATE identities SET address = $2, address_proof = 'operator' WHERE id = $1`, [
    identity.id,
    recipient,
  ]);
  const port = await freePort();
  const product = await startProduct(database.dataDir, database.url, { INBOUND_SMTP_PORT: String(port) });
  return { port, recipient, product, databasePid: database.pid };
}

export async function mail({ quick }: { quick: boolean }): Promise<Table> {
  const seconds = quick ? 3 : 10;
  const database = await startDatabase();
  try {
    const desk = await openDesk(database, await createIdentity(database.sql, 'enterprise'));
    try {
      const rows: string[][] = [];
      for (const connections of [1, 8, 32]) rows.push(await throughput(desk, '10 kB', 10 * kB, connections, seconds));
      for (const connections of [1, 8]) rows.push(await throughput(desk, '1 MB', MB, connections, seconds));
      const large = await memory(desk, 24 * MB, quick ? 2 : 10);
      return {
        title: 'Mail in',
        note:
          'Messages over SMTP, all for one identity, each stored (and its attachment synchronised to the disk) before it is acknowledged; ' +
          `a third of them answer another one. CPU is per message. While messages of 24 MB came in one after the other, resident memory went (MB): ${large}.`,
        head: ['Message', 'Connections', 'Messages/s', 'p50 ms', 'p99 ms', 'Server CPU ms', 'Database CPU ms'],
        rows,
      };
    } finally {
      await desk.product.stop();
    }
  } finally {
    await database.remove();
  }
}
