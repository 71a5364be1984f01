import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { generateClient } from './generate-client.mjs';

/**
 * Builds what a fresh clone needs to run: the Prisma client, the server's bundle, the pages. Each part is rebuilt only if its
 * sources have changed, so starting a built tree takes a few milliseconds.
 */

export const projectRoot = fileURLToPath(new URL('..', import.meta.url));

const clientFingerprint = 'server/platform/db/generated/.fingerprint';
const serverFingerprint = 'dist/fingerprint';
const pagesFingerprint = '.next/frontdesk-fingerprint';
const entryPoints = {
  main: 'server/main.ts',
  admin: 'server/admin/main.ts',
  backup: 'server/features/backup/main.ts',
  demo: 'prisma/demo/main.ts',
  'render-worker': 'server/platform/rendering/worker.ts',
  'mail-worker': 'server/platform/mail/worker.ts',
};
const configuration = ['package-lock.json', 'tsconfig.json', 'prisma/schema'];
const serverSources = [...configuration, 'server', 'prisma/demo', 'scripts/build.mjs'];
const pagesSources = [
  ...configuration,
  'server',
  'app',
  'public',
  'clients/typescript/src',
  'clients/typescript/scripts',
  'clients/typescript/package.json',
  'clients/typescript/README.md',
  'scripts/pack-client.mjs',
  'proxy.ts',
  'instrumentation.ts',
  'next.config.mjs',
  'postcss.config.mjs',
];

function absolute(relative) {
  return path.join(projectRoot, relative);
}

function filesBelow(relative) {
  const entries = readdirSync(absolute(relative), { withFileTypes: true, recursive: true });
  const ignored = /(^|[\\/])(generated|vendor|testing)([\\/]|$)|\.test\.tsx?$/;
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(projectRoot, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((file) => !ignored.test(file));
}

function fingerprintOf(sources) {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) {
    if (!existsSync(absolute(source))) continue;
    const files = path.extname(source) ? [source] : filesBelow(source).sort();
    for (const file of files)
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(absolute(file)))
        .update('\0');
  }
  return hash.digest('hex');
}

function isCurrent(file, fingerprint) {
  return existsSync(absolute(file)) && readFileSync(absolute(file), 'utf8') === fingerprint;
}

/** Runs one of our scripts or a dependency's in its own process; its output is shown only if it fails. */
function run(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: projectRoot,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${path.basename(args[0])} failed:\n${output}`))));
  });
}

/** Generates the Prisma client if the schema has changed. */
export function ensureClient() {
  const fingerprint = fingerprintOf(['package-lock.json', 'prisma/schema']);
  if (isCurrent(clientFingerprint, fingerprint)) return;
  generateClient();
  writeFileSync(absolute(clientFingerprint), fingerprint);
}

/** Bundles the server, the command line, the demo and the scripts of threads into dist/. */
export async function ensureServer(say = () => undefined) {
  const fingerprint = fingerprintOf(serverSources);
  if (isCurrent(serverFingerprint, fingerprint)) return;
  say('Building the server …');
  ensureClient();
  mkdirSync(absolute('dist'), { recursive: true });
  const present = Object.entries(entryPoints).filter(([, file]) => existsSync(absolute(file)));
  await build({
    absWorkingDir: projectRoot,
    entryPoints: Object.fromEntries(present),
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    logLevel: 'silent',
  });
  writeFileSync(absolute(serverFingerprint), fingerprint);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const buildLock = '.next-build.lock';

/** Two concurrent starts must not build into the same folder; the second one waits for the first. */
async function withBuildLock(work) {
  for (;;) {
    try {
      writeFileSync(absolute(buildLock), String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(readFileSync(absolute(buildLock), 'utf8').trim() || 0);
      if (!holder || !isAlive(holder)) rmSync(absolute(buildLock), { force: true });
      else await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  try {
    return await work();
  } finally {
    rmSync(absolute(buildLock), { force: true });
  }
}

/** Builds the pages with Next.js. */
export async function ensurePages(say = () => undefined) {
  const fingerprint = fingerprintOf(pagesSources);
  if (isCurrent(pagesFingerprint, fingerprint)) return;
  await withBuildLock(async () => {
    if (isCurrent(pagesFingerprint, fingerprint)) return;
    ensureClient();
    say('Building the pages (about a minute, once per version) …');
    await run(['scripts/copy-vendor.mjs']);
    // Without the packed client, all else works, and /docs shows no line that installs it.
    await run(['scripts/pack-client.mjs']).catch((error) => console.warn(`The typed client was not packed: ${error.message}`));
    await run(['node_modules/next/dist/bin/next', 'build'], { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' });
    writeFileSync(absolute(pagesFingerprint), fingerprint);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureServer(console.log);
  await ensurePages(console.log);
}
