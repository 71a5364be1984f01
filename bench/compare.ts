import type { BenchDatabase } from './database';
import { type MakeRequest, type Measurement, measure } from './load';
import { type BenchServer, startBaseline, startProduct } from './server';
import { median, milliseconds, whole } from './table';

/** The product beside the hand-written server, on the same database, in turns. */

export interface Operation {
  name: string;
  status: number;
  /** @param run makes what it creates differ from that of other runs */
  load(run: string): MakeRequest;
}

/** One short run of each server after the other, so that what else the machine does hits both alike. */
interface Round {
  product: Measurement;
  baseline: Measurement;
}

type Read = (run: Measurement) => number | null;

function middle(rounds: Round[], server: keyof Round, read: Read): number | null {
  const values = rounds.map((round) => read(round[server])).filter((value) => value !== null);
  return values.length === rounds.length ? median(values) : null;
}

function rowOf(name: string, connections: number, rounds: Round[]): string[] {
  const both = (read: Read, format: (value: number | null) => string) =>
    `${format(middle(rounds, 'product', read))} / ${format(middle(rounds, 'baseline', read))}`;
  const ratio = median(rounds.map(({ product, baseline }) => product.perSecond / baseline.perSecond));
  return [
    name,
    String(connections),
    both((run) => run.perSecond, whole),
    ratio.toFixed(2),
    both((run) => run.p50, milliseconds),
    both((run) => run.p99, milliseconds),
    both((run) => run.serverCpu, milliseconds),
    both((run) => run.databaseCpu, milliseconds),
  ];
}

/** What the columns of `compare` are. */
export const comparisonHead = [
  'Operation',
  'Connections',
  'Requests/s',
  'Ratio',
  'p50 ms',
  'p99 ms',
  'CPU ms, Node',
  'CPU ms, PostgreSQL',
];

/** A row for each operation at 8 and at 32 connections. */
export async function compare(database: BenchDatabase, operations: Operation[], quick: boolean): Promise<string[][]> {
  const [roundCount, seconds, warmUp] = quick ? [1, 2, 1] : [7, 2, 6];
  const product = await startProduct(database.dataDir, database.url);
  const baseline = await startBaseline(database.dataDir, database.url);
  let run = 0;
  const load = (server: BenchServer, operation: Operation, connections: number, duration: number) =>
    measure(server, database.pid, operation.load(String(++run)), { connections, duration, status: operation.status });
  const rows: string[][] = [];
  try {
    for (const operation of operations) {
      for (const server of [product, baseline]) await load(server, operation, 8, warmUp);
      for (const connections of [8, 32]) {
        const rounds: Round[] = [];
        for (let i = 0; i < roundCount; i++) {
          rounds.push({
            product: await load(product, operation, connections, seconds),
            baseline: await load(baseline, operation, connections, seconds),
          });
        }
        rows.push(rowOf(operation.name, connections, rounds));
      }
    }
  } finally {
    await product.stop();
    await baseline.stop();
  }
  return rows;
}
