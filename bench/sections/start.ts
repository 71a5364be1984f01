import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabase } from '../database';
import { measure } from '../load';
import { startProduct } from '../server';
import { median, type Table } from '../table';
import { fillTenants } from '../tenants';
import { getById } from '../workload';

/** How long the product takes to be ready, embedded database included, and how much memory its process then holds. */
export async function start({ quick }: { quick: boolean }): Promise<Table> {
  const database = await startDatabase();
  try {
    const tenants = await fillTenants(database);
    await database.stop();
    const readyAfter: number[] = [];
    const idle: (number | null)[] = [];
    let busy: number | null = null;
    for (let i = 0; i < (quick ? 2 : 5); i++) {
      const product = await startProduct(database.dataDir);
      try {
        readyAfter.push(product.readyAfter);
        await sleep(quick ? 1_000 : 5_000);
        idle.push(product.residentMemory());
        await measure(product, process.pid, getById(tenants), { connections: 8, amount: quick ? 1_000 : 20_000, status: 200 });
        busy = product.residentMemory();
      } finally {
        await product.stop();
      }
    }
    const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
    const megabytes = (value: number | null) => (value === null ? '–' : `${value} MB`);
    return {
      title: 'Start and memory',
      note: '`npm start` on a data directory that exists, everything built, embedded database included.',
      head: ['What', 'Middle', 'Worst', 'Target'],
      rows: [
        ['from start to ready', seconds(median(readyAfter)), seconds(Math.max(...readyAfter)), 'under 3 s'],
        ['memory of the Node process, idle', megabytes(median(known(idle))), megabytes(Math.max(...known(idle))), 'under 300 MB'],
        ['the same after 20,000 requests', megabytes(busy), '', ''],
      ],
    };
  } finally {
    await database.remove();
  }
}

function known(values: (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}
