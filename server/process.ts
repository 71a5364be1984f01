import { mkdirSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import next from 'next';
import { closeSecurityLog } from './platform/auth/security-log';
import { readSession } from './platform/auth/session';
import { authSecret } from './platform/auth/session-token';
import { logConsole } from './platform/console-log';
import { closeLeases } from './platform/db/lease';
import { endProcess } from './platform/end-process';
import { ConfigurationError, env, overrideEnv, publicUrl, publishEnvForLibraries, stopLimit } from './platform/env';
import { checkStore } from './platform/files/content-store';
import { createHttpServer, type HttpServer } from './platform/http/http-server';
import { zoneData, zoneDataAdvice } from './platform/ical/zone-data';
import { startJobs } from './platform/jobs/worker';
import { log } from './platform/log';
import { readInboundCertificate } from './platform/mail/inbound-certificate';
import { closeMailParser } from './platform/mail/mail-parser';
import { type OpenDatabase, openDatabase } from './platform/open-database';
import { closeRenderPool } from './platform/rendering/render-pool';
import { closeBurstLimit } from './platform/rest/burst-limit';
import { servePages } from './platform/trpc/page-server';
import { contextFor } from './platform/trpc/trpc';
import { appRouter, features, httpRoutes, jobs, operations } from './registry';

/**
 * The process: settings → port → database → migrations → pages → jobs and mail, and in reverse on SIGTERM or SIGINT. stdout is
 * for people; logs go to stderr, one JSON object per line.
 */

export interface ProcessOptions {
  /** Changes settings before they are used. */
  prepareSettings?(): void;
  /** Runs after the database is open, before any request is served. */
  prepareData?(): Promise<void>;
  /** Lines to print when the server is ready. */
  announce(url: string): Promise<string[]>;
}

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Aborts the start. */
const startAbort = new AbortController();

/** Started parts, stopped in reverse order. */
const started: { name: string; stop: () => Promise<void> | void }[] = [];

function listen({ server }: HttpServer): Promise<void> {
  const { PORT, HOST } = env();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Record<string, string> = {
        EADDRINUSE: 'something else is listening there. Stop it, or set another PORT',
        EACCES: 'this user may not listen there. Set a PORT above 1023',
        EADDRNOTAVAIL: 'this machine has no such address. Set another HOST',
      };
      reject(new ConfigurationError(`Can't listen on ${HOST}:${PORT}: ${reasons[error.code ?? ''] ?? error.message}.`));
    });
    server.listen(PORT, HOST, () => {
      server.removeAllListeners('error');
      const address = server.address();
      // With PORT 0 the system has chosen one.
      if (typeof address === 'object' && address) overrideEnv({ PORT: address.port });
      resolve();
    });
  });
}

/**
 * Next.js handles upgrades of the server it is given, or else of the one of its first request. Its development server needs
 * ours for hot reload. In production nothing is upgraded, and an upgrade request is answered like any other (RFC 9110, section
 * 7.8), which Node.js does without an upgrade listener.
 */
async function preparePages({ server }: HttpServer): Promise<PageHandler> {
  const dev = env().NODE_ENV === 'development';
  const app = next({ dev, dir: path.resolve('.'), customServer: true, httpServer: dev ? server : createServer() });
  await app.prepare();
  started.push({ name: 'pages', stop: () => app.close() });
  return app.getRequestHandler();
}

/** Like `mkdir -p`. Node's recursive mkdir loops for ever if a folder can't contain others, such as /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o711 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || parent === folder) throw error;
    makeFolder(parent);
    mkdirSync(folder, { mode: 0o711 });
  }
}

async function openDataDir(): Promise<OpenDatabase> {
  try {
    makeFolder(env().DATA_DIR);
  } catch (error) {
    throw new ConfigurationError(`DATA_DIR ${env().DATA_DIR} can't be made (${(error as NodeJS.ErrnoException).code}).`);
  }
  const database = await openDatabase(printLine, startAbort.signal);
  started.push({ name: 'database', stop: database.close }, { name: 'security log', stop: closeSecurityLog });
  return database;
}

/** Starts a part of each feature, in their order. */
async function startFeatures(part: 'prepare' | 'begin'): Promise<void> {
  for (const feature of features) {
    const stop = await feature[part]?.();
    if (stop) started.push({ name: feature.name, stop });
  }
}

let stopping = false;
/** The part that is being stopped. */
let stoppingPart = 'start';
let http: HttpServer | undefined;

async function start(options: ProcessOptions): Promise<void> {
  const startedAt = performance.now();
  options.prepareSettings?.();
  publishEnvForLibraries();
  // In development Next.js prints coloured messages to the console.
  if (env().NODE_ENV === 'production') logConsole();
  // Used much later; errors are reported immediately.
  readInboundCertificate();
  http = createHttpServer(httpRoutes);
  await listen(http);
  await checkStore();
  await openDataDir();
  authSecret();
  if (stopping) return;
  await options.prepareData?.();
  await startFeatures('prepare');
  started.push(
    { name: 'limits', stop: closeBurstLimit },
    { name: 'rendering', stop: closeRenderPool },
    { name: 'parsing', stop: closeMailParser },
  );
  if (stopping) return;
  servePages({ router: appRouter, readSession, contextFor: (caller) => contextFor(operations, caller) });
  const pages = await preparePages(http);
  started.push({ name: 'leases', stop: closeLeases }, { name: 'jobs', stop: await startJobs(jobs) });
  await startFeatures('begin');
  started.push({ name: 'http', stop: http.close });
  http.open(pages);
  const url = publicUrl();
  log().info({ url, ms: Math.round(performance.now() - startedAt) }, 'ready');
  const advice = zoneDataAdvice();
  if (advice !== null) log().info({ release: zoneData }, 'time zone data is old');
  const notices = await Promise.all(features.map((feature) => feature.notices?.() ?? []));
  for (const line of [...(await options.announce(url)), ...notices.flat(), ...(advice === null ? [] : [advice])]) printLine(line);
}

/**
 * Stops everything within SHUTDOWN_DRAIN_SECONDS and `stopLimit`, even if parts hang.
 * @param starting a start that may still be in progress: what it opens must be closed too
 */
async function stop(exitCode: number, starting: Promise<void> = Promise.resolve()): Promise<never> {
  stopping = true;
  startAbort.abort();
  setTimeout(forceExit, env().SHUTDOWN_DRAIN_SECONDS * 1000 + stopLimit).unref();
  await starting.catch(() => undefined);
  for (let next = started.pop(); next; next = started.pop()) {
    stoppingPart = next.name;
    try {
      await next.stop();
    } catch (error) {
      log().error({ err: error, part: next.name }, 'did not stop cleanly');
    }
  }
  log().flush();
  return endProcess(exitCode);
}

function forceExit(): void {
  log().error({ part: stoppingPart }, 'stopping took too long and was given up');
  log().flush();
  void endProcess(1);
}

/**
 * If stdout or stderr is closed (a closed terminal, a broken pipe), writing fails. Unhandled, that error would be reported by
 * writing, in an endless loop.
 */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Runs the server until a signal stops it; a failed start ends the process with status 1 and a one-line reason. */
export function runProcess(options: ProcessOptions): void {
  ignoreBrokenPipes();
  try {
    env();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
  const starting = start(options);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second Ctrl-C does not wait for hanging requests.
      if (stopping) return void endProcess(1);
      printLine('Stopping …');
      http?.drain();
      for (const feature of features) feature.drain?.();
      void stop(0, starting);
    });
  }
  process.on('unhandledRejection', (error) => {
    log().error({ err: error }, 'unhandled rejection');
  });
  starting.catch(async (error: unknown) => {
    if (stopping) return;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!(error instanceof ConfigurationError)) log().fatal({ err: error }, 'could not start');
    await stop(1);
  });
}
