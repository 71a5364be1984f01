import { createHash } from 'node:crypto';
import type { TableRows } from './manifest';

/** Counts and hashes rows that pass through; a line of COPY's text format is a row. */
export function measureRows(): { pass(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>; result(): TableRows } {
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  return {
    async *pass(source) {
      for await (const chunk of source) {
        hash.update(chunk);
        bytes += chunk.length;
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows++;
        yield chunk;
      }
    },
    result: () => ({ rows, bytes, sha256: hash.digest('hex') }),
  };
}

/** Counts and hashes rows and discards them. */
export async function measured(source: AsyncIterable<Uint8Array>): Promise<TableRows> {
  const measure = measureRows();
  for await (const _ of measure.pass(source));
  return measure.result();
}

export function areSameRows(one: TableRows, other: TableRows): boolean {
  return one.rows === other.rows && one.bytes === other.bytes && one.sha256 === other.sha256;
}
