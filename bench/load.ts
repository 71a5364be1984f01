import autocannon from 'autocannon';
import { cpuOf, cpuOfFamily } from './proc';
import type { BenchServer } from './server';

/** One request of a load; `n` counts up over all connections, from 0. */
export type MakeRequest = (n: number) => {
  method?: 'GET' | 'POST' | 'PATCH';
  path: string;
  key: string;
  headers?: Record<string, string>;
  body?: object;
};

export interface LoadOptions {
  connections: number;
  /** Seconds; or a number of requests. */
  duration?: number;
  amount?: number;
  /** Status that every answer must have; anything else stops the benchmark, since it would measure something else. */
  status: number;
}

/** What one load did. */
export interface Measurement {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** CPU milliseconds a request, of the server's process and of PostgreSQL; null where the system does not tell. */
  serverCpu: number | null;
  databaseCpu: number | null;
}

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function perRequest(before: number | null, after: number | null, requests: number): number | null {
  return before === null || after === null ? null : (after - before) / requests;
}

/** Raw request as autocannon's client takes it. */
function toRaw(make: ReturnType<MakeRequest>): autocannon.Request {
  const headers: Record<string, string> = { authorization: `Bearer ${make.key}`, ...make.headers };
  if (!make.body) return { method: make.method ?? 'GET', path: make.path, headers };
  headers['content-type'] = 'application/json';
  return { method: make.method ?? 'POST', path: make.path, headers, body: JSON.stringify(make.body) };
}

/** Puts a server under load and measures it. Every request is made anew, so that no two need be alike. */
export async function measure(
  server: BenchServer,
  databasePid: number,
  make: MakeRequest,
  options: LoadOptions,
): Promise<Measurement> {
  const durations: number[] = [];
  const refused = new Map<number, number>();
  let n = 0;
  const cpuBefore = [cpuOf(server.pid), cpuOfFamily(databasePid)] as const;
  const startedAt = performance.now();
  let endedAt = startedAt;
  const result = await autocannon({
    url: server.url,
    connections: options.connections,
    ...(options.amount === undefined ? { duration: options.duration ?? 5 } : { amount: options.amount }),
    requests: [{ setupRequest: (request) => Object.assign(request, toRaw(make(n++))) }],
    setupClient: (client) => {
      // autocannon's own percentiles are whole milliseconds.
      client.on('response', (status: number, _bytes: number, milliseconds: number) => {
        durations.push(milliseconds);
        endedAt = performance.now();
        if (status !== options.status) refused.set(status, (refused.get(status) ?? 0) + 1);
      });
    },
  });
  const cpuAfter = [cpuOf(server.pid), cpuOfFamily(databasePid)] as const;
  if (refused.size > 0 || result.errors > 0) {
    const counts = [...refused].map(([status, count]) => `${count} × ${status}`).join(', ');
    throw new Error(`${server.name} did not answer everything with ${options.status}: ${counts || `${result.errors} errors`}.`);
  }
  durations.sort((a, b) => a - b);
  const requests = durations.length;
  return {
    requests,
    perSecond: (requests * 1000) / (endedAt - startedAt),
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
    serverCpu: perRequest(cpuBefore[0], cpuAfter[0], requests),
    databaseCpu: perRequest(cpuBefore[1], cpuAfter[1], requests),
  };
}

/** The cursor behind so many pages of a list. */
export async function cursorBehind(server: BenchServer, make: MakeRequest, pages: number): Promise<string> {
  const { path, key } = make(0);
  let cursor = '';
  for (let page = 0; page < pages; page++) {
    const url = new URL(path, server.url);
    if (cursor) url.searchParams.set('cursor', cursor);
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const { nextCursor } = (await response.json()) as { nextCursor?: string | null };
    if (!nextCursor) throw new Error(`${path} has no page ${page + 2} (${response.status}).`);
    cursor = nextCursor;
  }
  return cursor;
}
