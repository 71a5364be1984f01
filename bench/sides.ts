import { type BenchDatabase, startDatabase } from './database';
import { type MakeRequest, measure } from './load';
import { type BenchServer, startProduct } from './server';
import { median, milliseconds, whole } from './table';

/** Half a comparison of sizes: a database of its own with this much in it, and a server on it. */
export interface Side {
  database: BenchDatabase;
  product: BenchServer;
  /** What is read, by its name in the table; both sides have the same names. */
  reads: Record<string, MakeRequest>;
  close(): Promise<void>;
}

/** Rows of a table that compares two sizes; see `compareSides`. @param open makes a side with so much in it */
export async function compareSizes(
  open: (count: number) => Promise<Side>,
  [few, many]: readonly [number, number],
  quick: boolean,
): Promise<string[][]> {
  const small = await open(few);
  try {
    const large = await open(many);
    try {
      return await compareSides(small, large, quick);
    } finally {
      await large.close();
    }
  } finally {
    await small.close();
  }
}

/** A side on a database of its own, which `fill` fills; it says what is read. */
export async function makeSide(fill: (database: BenchDatabase) => Promise<Record<string, MakeRequest>>): Promise<Side> {
  const database = await startDatabase();
  try {
    return await openSide(database, await fill(database));
  } catch (error) {
    await database.remove();
    throw error;
  }
}

/** Starts the product on a filled database. */
async function openSide(database: BenchDatabase, reads: Record<string, MakeRequest>): Promise<Side> {
  const product = await startProduct(database.dataDir, database.url);
  const close = async () => {
    await product.stop();
    await database.remove();
  };
  return { database, product, reads, close };
}

/** Rows of a table: name, p50 of either side, the factor between them, and the larger side's requests a second. */
async function compareSides(small: Side, large: Side, quick: boolean): Promise<string[][]> {
  const [roundCount, seconds] = quick ? [1, 2] : [5, 2];
  const run = async ({ database, product, reads }: Side, name: string) => {
    const make = reads[name];
    if (!make) throw new Error(`no read ${name}`);
    return measure(product, database.pid, make, { connections: 8, duration: seconds, status: 200 });
  };
  const rows: string[][] = [];
  for (const name of Object.keys(small.reads)) {
    for (const side of [small, large]) await run(side, name);
    const rounds: { before: number; after: number; perSecond: number }[] = [];
    for (let round = 0; round < roundCount; round++) {
      const [before, after] = [await run(small, name), await run(large, name)];
      rounds.push({ before: before.p50, after: after.p50, perSecond: after.perSecond });
    }
    rows.push([
      name,
      milliseconds(median(rounds.map(({ before }) => before))),
      milliseconds(median(rounds.map(({ after }) => after))),
      median(rounds.map(({ before, after }) => after / before)).toFixed(1),
      whole(median(rounds.map(({ perSecond }) => perSecond))),
    ]);
  }
  return rows;
}
