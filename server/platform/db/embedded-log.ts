import { copyFile, rename, stat, truncate } from 'node:fs/promises';
import path from 'node:path';

/** The log of the embedded PostgreSQL: `postgres.log` in the data directory, and up to three older ones, the newest being `.1`. */

const kept = 3;

/** Bytes from which a log is put aside while PostgreSQL goes on. */
const largest = 10_000_000;

export function embeddedLogFile(dataDir: string): string {
  return path.join(dataDir, 'postgres.log');
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Makes room for `.1`; the oldest is overwritten. */
async function moveOlder(file: string): Promise<void> {
  for (let number = kept - 1; number > 0; number--) {
    await rename(`${file}.${number}`, `${file}.${number + 1}`).catch(() => undefined);
  }
}

/** Puts the log of an earlier start aside, which may tell why it ended. */
export async function keepEarlierLog(file: string): Promise<void> {
  if ((await sizeOf(file)) === 0) return;
  await moveOlder(file);
  await rename(file, `${file}.1`).catch(() => undefined);
}

/** Puts a large log aside while PostgreSQL writes to it. It appends, so it goes on at the beginning of the emptied file. */
export async function rotateLog(file: string, limit = largest): Promise<void> {
  if ((await sizeOf(file)) <= limit) return;
  await moveOlder(file);
  await copyFile(file, `${file}.1`);
  await truncate(file);
}
