import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { settingsForDovecot, startDovecot, type TestDovecot } from '@/server/testing/dovecot';
import { startDatabase } from '../database';
import { createIdentity } from '../fill';
import { cpuOf, cpuOfFamily, mostMemoryOf } from '../proc';
import { type BenchServer, startProduct } from '../server';
import { median, milliseconds, type Table, whole } from '../table';

/** Milliseconds between two looks at how much memory there is. */
const interval = 250;

const username = 'shop';

/** About 10 kB, like those of the section `mail`. */
function messageOf(n: number): string {
  const file = randomBytes(5_400).toString('base64').replace(/.{76}/g, '$&\r\n');
  const text = 'Could you look at the brakes on Friday, and send the offer for the fleet?\r\n'.repeat(20);
  return (
    `From: Ann ${n % 50} <ann.${n % 50}@quark.example>\r\nTo: shop@quark.example\r\nSubject: Message ${n}\r\n` +
    `Message-ID: <${n}@quark.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
    `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n` +
    `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${n}.bin"\r\n` +
    `Content-Transfer-Encoding: base64\r\n\r\n${file}\r\n--b--\r\n`
  );
}

async function connect(
  product: BenchServer,
  imap: TestDovecot,
  key: string,
): Promise<() => Promise<{ total: number; done: number }>> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const { host, port, password } = imap.server(username);
  const url = `${product.url}/api/v1/mailboxes`;
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ address: 'shop@quark.example', host, port, username, password }),
  });
  if (answer.status !== 201) throw new Error(`the mailbox was refused: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  return async () => {
    const { import: progress } = (await (await fetch(`${url}/${id}`, { headers })).json()) as {
      import: { total: number; done: number } | null;
    };
    return progress ?? { total: Number.NaN, done: 0 };
  };
}

/** The first import of a mailbox: how fast it is, and whether memory stays as it is. */
export async function mailboxes({ quick }: { quick: boolean }): Promise<Table> {
  const count = quick ? 500 : 10_000;
  const [imap, database] = await Promise.all([startDovecot(), startDatabase()]);
  try {
    await imap.append(
      username,
      Array.from({ length: count }, (_, n) => messageOf(n)),
    );
    const identity = await createIdentity(database.sql, 'enterprise');
    const product = await startProduct(database.dataDir, database.url, await settingsForDovecot(database.dataDir));
    try {
      const idle = product.residentMemory() ?? 0;
      const cpu = () => [cpuOf(product.pid) ?? 0, cpuOfFamily(database.pid) ?? 0] as const;
      const [before, startedAt] = [cpu(), performance.now()];
      const progress = await connect(product, imap, identity.keys[0] ?? '');
      const seen: number[] = [];
      for (;;) {
        await sleep(interval);
        seen.push(product.residentMemory() ?? 0);
        const { total, done } = await progress();
        if (done === total) break;
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      const after = cpu();
      const third = Math.ceil(seen.length / 3);
      const each = (index: 0 | 1) => milliseconds((after[index] - before[index]) / count);
      return {
        title: 'Import of a mailbox',
        note:
          `${whole(count)} messages of 10 kB, each with an attachment, from Dovecot on the same machine. Memory is that of the server's process, ` +
          'and should stay as it is. CPU is per message.',
        head: [
          'Seconds',
          'Messages/s',
          'Server CPU ms',
          'Database CPU ms',
          'MB before',
          'In the first third',
          'In the last third',
          'Most',
        ],
        rows: [
          [
            ...[whole(seconds), whole(count / seconds), each(0), each(1)],
            ...[idle, median(seen.slice(0, third)), median(seen.slice(-third)), mostMemoryOf(product.pid)].map(whole),
          ],
        ],
      };
    } finally {
      await product.stop();
    }
  } finally {
    await Promise.all([imap.remove(), database.remove()]);
  }
}
