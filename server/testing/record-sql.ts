import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { RecordedStatement, Site } from '@/scripts/sql-check/recording';

/**
 * Records the SQL of the tests, for `npm run sql:check` (CONTRIBUTING.md, "SQL"). vitest loads it if RECORD_SQL names a folder;
 * each process writes a separate file there.
 */

/** Transactions, cursors and COPY: they can't be described, and some have a new text each time. */
const ignored = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|RESET|LISTEN|UNLISTEN|COPY|DECLARE|FETCH|MOVE|CLOSE)\b/i;

/** Files that run the statements of their callers. */
const passedThrough =
  /\/server\/(platform\/(semaphore|db\/(connection|fair-pool|named-query|shared-reads|sql|prisma|remove-in-batches))|testing\/record-sql)\.ts$/;

/** Stack traces are slow: after this many, the callers of a statement are known. */
const samplesPerStatement = 3;

const root = process.cwd();
const seen = new Map<string, number>();
const written = new Set<string>();

interface Query {
  name?: string;
  text?: string;
  types?: unknown;
  rowMode?: string;
}

/** Where the pool sends a statement of a dashboard request: later, and so without the frames of all callers. */
const sentLater = /queryWithin .*\/fair-pool\.ts:/;

/**
 * What the pool passes to a client once one is free. It was noted when the pool was called; this may be in the stack of whoever has
 * just released the client.
 */
const sentByPool = /record-sql\.ts\S*\n[^\n]*\/node_modules\/pg-pool\//;

/** The statement's callers, innermost first; empty if they are not product code, null if they are not known. */
function callSites(): Site[] | null {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = limit;
  if (sentLater.test(stack) || sentByPool.test(stack)) return null;
  const sites: Site[] = [];
  for (const frame of stack.split('\n')) {
    const match = /\(?(?:file:\/\/)?(\/[^():]+\.tsx?):(\d+):(\d+)\)?$/.exec(frame);
    if (!match?.[1] || match[1].includes('/node_modules/') || passedThrough.test(match[1])) continue;
    sites.push({ file: path.relative(root, match[1]).replaceAll('\\', '/'), line: Number(match[2]), column: Number(match[3]) });
    if (sites.length === 4) break;
  }
  return sites;
}

function record(folder: string, query: unknown): void {
  const { name, text, types, rowMode }: Query = typeof query === 'string' ? { text: query } : ((query ?? {}) as Query);
  // Prisma writes its own statements and reads them as arrays.
  if (typeof text !== 'string' || rowMode === 'array' || ignored.test(text)) return;
  // Two statements may have one text, and the order of files decides which of them a process runs first.
  const statementKey = `${name ?? ''} ${text}`;
  const times = seen.get(statementKey) ?? 0;
  if (times >= samplesPerStatement) return;
  const sites = callSites();
  if (!sites) return;
  seen.set(statementKey, times + 1);
  const first = sites[0];
  if (!first?.file.startsWith('server/') || /\.test\.tsx?$|\/testing\//.test(first.file)) return;
  const key = `${first.file}:${first.line} ${text}`;
  if (written.has(key)) return;
  written.add(key);
  const statement: RecordedStatement = { ...(name && { name }), text, isIso: types !== undefined, sites };
  appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(statement)}\n`);
}

/** Records what is sent from now on. */
function recordInto(folder: string): void {
  mkdirSync(folder, { recursive: true });
  // The pool calls its client later, without the caller's stack, so both are patched.
  for (const prototype of [pg.Pool.prototype, pg.Client.prototype]) {
    const query = prototype.query as (...parameters: unknown[]) => unknown;
    Object.assign(prototype, {
      query(this: unknown, ...parameters: unknown[]) {
        record(folder, parameters[0]);
        return query.apply(this, parameters);
      },
    });
  }
}

const folder = process.env.RECORD_SQL;
const recording = Symbol.for('frontdesk.recording-sql');
// vitest runs this for each file, in a process that is shared; `pg` is loaded once and patched once.
if (folder && !Reflect.has(globalThis, recording)) {
  Reflect.set(globalThis, recording, true);
  recordInto(folder);
}
